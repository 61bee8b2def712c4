import type { TextStore } from '../../ports/stores.js';
import { WriteBehind } from '../../storage/files/writeBehind.js';
import { sha256 } from '../../hash.js';
import type { Redactor } from '../../redaction/redactor.js';

/** A text store that does not keep its caller waiting. */
interface WriteBehindTexts extends TextStore {
  /** Resolves when every text put so far is on disk; throws what went wrong with one of them. */
  settled(): Promise<void>;
}

/**
 * Writes texts after the work that goes on: a run that waits for the disk after every answer is slower than its model.
 * A crash may lose the last of them, and loses nothing with them, for a run that is resumed puts them again.
 */
export function writeBehindTexts(store: TextStore): WriteBehindTexts {
  const waiting = new Map<string, string>();
  const done = new Set<string>();
  const afterwards = new WriteBehind();
  let failure: { readonly error: unknown } | undefined;
  const write = async (hash: string, text: string): Promise<void> => {
    try {
      await store.put(text);
      done.add(hash);
      waiting.delete(hash);
    } catch (error) {
      failure ??= { error };
    }
  };
  return {
    put(text) {
      const hash = sha256(text);
      if (!waiting.has(hash) && !done.has(hash)) {
        waiting.set(hash, text);
        afterwards.add(() => write(hash, text));
      }
      return Promise.resolve(hash);
    },
    get: async (hash) => waiting.get(hash) ?? store.get(hash),
    async settled() {
      await afterwards.settled();
      if (failure !== undefined) throw failure.error;
    },
  };
}

/**
 * A text store that keeps no secret: what it is given is stored with placeholders, under the hash of that. For as long
 * as it lives a text is also found by the hash of what it was before.
 */
export function redactedTexts(store: TextStore, redactor: Redactor): TextStore {
  const names = new Map<string, string>();
  return {
    async put(text) {
      const clean = redactor.redact(text).text;
      const hash = await store.put(clean);
      if (clean !== text) names.set(sha256(text), hash);
      return hash;
    },
    get: (hash) => store.get(names.get(hash) ?? hash),
  };
}
