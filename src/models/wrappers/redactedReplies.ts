import { mapTexts } from '../../mapTexts.js';
import type { KeptReply, ReplyStore } from '../../ports/stores.js';
import { type Redactor, placeholdersIn } from '../../redaction/redactor.js';
import { redactingValues } from '../../redaction/redactValue.js';

/**
 * A store that is given no secret in clear, not even one that the model itself wrote: it gets the reply with placeholders,
 * and what they stand for apart. Whoever asks for the reply gets it as it was, or it would be judged differently.
 */
export function redactedReplies(store: ReplyStore, redactor: Redactor): ReplyStore {
  const redacted = redactingValues(redactor);
  return {
    async get(key) {
      const kept = await store.get(key);
      if (kept?.secrets === undefined) return kept;
      const { secrets, ...reply } = kept;
      return {
        ...reply,
        ...mapTexts(textsOf(reply), (text) => restored(text, secrets)),
      };
    },
    async put(key, reply) {
      const { value, secrets } = redacted(textsOf(reply));
      if (Object.keys(secrets).length === 0) return store.put(key, reply);
      return store.put(key, { ...reply, ...value, secrets });
    },
  };
}

/** Whatever of a reply somebody else wrote. */
function textsOf({ text, toolCalls, work }: KeptReply): Pick<KeptReply, 'text' | 'toolCalls' | 'work'> {
  return { text, toolCalls, ...(work === undefined ? {} : { work }) };
}

function restored(text: string, secrets: Readonly<Record<string, string>>): string {
  return placeholdersIn(text).reduce(
    (rest, placeholder) => rest.replaceAll(placeholder, () => secrets[placeholder] ?? placeholder),
    text,
  );
}
