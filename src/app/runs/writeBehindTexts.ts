import type { TextStore } from '../../ports/stores.js';
import { WriteBehind } from '../../storage/files/writeBehind.js';
import { sha256 } from '../../hash.js';

/** A text store that does not keep its caller waiting. */
export interface LaterTexts extends TextStore {
  /** Resolves when every text put so far is on disk; throws what went wrong with one of them. */
  settled(): Promise<void>;
}

/**
 * Writes texts after the work that goes on: a run that waits for the disk after every answer is slower than its model.
 * A crash may lose the last of them, and loses nothing with them, for a run that is resumed puts them again.
 */
export function writeBehindTexts(store: TextStore): LaterTexts {
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
