import type { LanguageModel, ModelReply } from '../../ports/languageModel.js';
import type { ReplyStore } from '../../ports/replyStore.js';
import type { KeyOf } from './replyKey.js';

/**
 * Answers from the store where it can; what it had to pay for is on disk before anyone uses it, so that a crash loses
 * nothing. Failures and empty answers are never kept.
 */
export function withCache(
  model: LanguageModel,
  { store, keyOf }: { readonly store: ReplyStore; readonly keyOf: KeyOf },
): LanguageModel {
  return {
    identity: model.identity,
    async complete(request, signal) {
      signal.throwIfAborted();
      const key = keyOf(request);
      const stored = await store.get(key);
      if (stored !== undefined) return { ...stored, cached: true };
      const reply = await model.complete(request, signal);
      if (!isEmpty(reply)) await store.put(key, reply);
      return reply;
    },
  };
}

function isEmpty(reply: ModelReply): boolean {
  return reply.text.trim() === '' && reply.toolCalls.length === 0;
}
