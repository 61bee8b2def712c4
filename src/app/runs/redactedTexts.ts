import type { TextStore } from '../../ports/stores.js';
import type { Redactor } from '../../redaction/redactor.js';
import { sha256 } from '../../hash.js';

/**
 * A text store that keeps no secret: what it is given is stored with placeholders, under the hash of that. For as long
 * as it lives a text is also found by the hash of what it was before.
 */
export function redactedTexts(store: TextStore, redactor: Redactor): TextStore {
  const names = new Map<string, string>();
  return {
    async put(text) {
      const clean = (await redactor.redact(text)).text;
      const hash = await store.put(clean);
      if (clean !== text) names.set(sha256(text), hash);
      return hash;
    },
    get: (hash) => store.get(names.get(hash) ?? hash),
  };
}
