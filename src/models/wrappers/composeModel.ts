import type { LanguageModel, ModelReply } from '../../ports/languageModel.js';
import type { ReplyStore } from '../../ports/stores.js';
import type { Redactor } from '../../redaction/redactor.js';
import { withBatches, type ModelBatches } from '../batch/gatheredCalls.js';
import type { RateLimiter } from './rateLimiter.js';
import { redactedReplies } from './redactedReplies.js';
import { replyKeys, type KeySalt, type KeyOf } from './replyKey.js';
import { withBudget, type BudgetOptions } from './withBudget.js';
import { withJournal, type JournalOptions } from './withJournal.js';
import { withRedaction } from './withRedaction.js';
import { withRetry, type RetryOptions } from './withRetry.js';

interface ModelParts {
  readonly redactor: Redactor;
  /** The texts that the optimizer edits; see {@link withRedaction}. */
  readonly documents?: readonly string[] | undefined;
  readonly replies: ReplyStore;
  readonly retry: RetryOptions;
  /** One for each backend, shared by all roles that use it. */
  readonly limiter: RateLimiter;
  readonly budget: BudgetOptions;
  readonly journal: Pick<JournalOptions, 'clock' | 'record'>;
  /** Where the calls of a stage are gathered and sent together; each is made by itself without it. */
  readonly batches?: ModelBatches | undefined;
  /** Sampling options that the adapter adds on its own. */
  readonly salt?: KeySalt | undefined;
}

/**
 * A model as the engine uses it. The order is the point: secrets are gone before anything is stored or sent, a stored
 * reply costs nothing, waiting holds no place and no money, every attempt is reserved by itself, and every one is written down.
 */
export function composeModel(adapter: LanguageModel, parts: ModelParts): LanguageModel {
  const keyOf = replyKeys(adapter.identity, parts.salt);
  const journalled = withJournal(adapter, { ...parts.journal, keyOf });
  const budgeted = withBudget(journalled, parts.budget);
  const paced = withRate(budgeted, parts.limiter);
  const patient = withRetry(paced, parts.retry);
  const sent = parts.batches === undefined ? patient : withBatches(patient, { ...parts.batches, keyOf });
  const cached = withCache(sent, { store: redactedReplies(parts.replies, parts.redactor), keyOf });
  return withRedaction(cached, parts.redactor, parts.documents);
}

/** Makes calls as fast as the backend's rate limiter lets them. Waiting costs nothing and holds no reservation. */
export function withRate(model: LanguageModel, limiter: RateLimiter): LanguageModel {
  return {
    identity: model.identity,
    complete: (request, signal) => limiter.run((heard) => model.complete(request, heard), signal),
  };
}

/**
 * Answers from the store where it can; what it had to pay for is on disk before anyone uses it, so that a crash loses
 * nothing. Failures and empty answers are never kept, and one that whoever asked could not read is asked for anew.
 */
export function withCache(
  model: LanguageModel,
  { store, keyOf }: { readonly store: ReplyStore; readonly keyOf: KeyOf },
): LanguageModel {
  return {
    identity: model.identity,
    async complete({ again, ...request }, signal) {
      signal.throwIfAborted();
      const key = keyOf(request);
      const stored = again === true ? undefined : await store.get(key);
      if (stored !== undefined) return { ...stored, cached: true };
      const reply = await model.complete(request, signal);
      if (!isEmpty(reply)) await store.put(key, reply);
      return reply;
    },
  };
}

function isEmpty(reply: ModelReply): boolean {
  return reply.text.trim() === '' && reply.toolCalls.length === 0 && reply.work === undefined;
}
