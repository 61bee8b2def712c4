import type { Fetch } from '../../src/models/openai/openaiClient.js';

/** Fails as Node's fetch does: the code lies one cause down. */
export function brokenFetch(code: string, words = 'inner words'): Fetch {
  return async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(words), { code }) });
  };
}

/** Never answers; hears an abort. */
export const silentFetch: Fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
