import path from 'node:path';
import type { TextStore } from '../../ports/stores.js';
import { getBytes, putBytes } from '../files/contentStore.js';
import type { UserStore } from '../state/store.js';

/**
 * Texts that journals name by hash (answers, patches), in user state. A text that was tampered with is not found. A
 * kill loses none; a power cut may lose the last few, which a run that goes on writes again where it can.
 */
export function openTexts(store: UserStore): TextStore {
  const folder = textsFolder(store);
  return {
    put: (text) => putBytes(folder, Buffer.from(text, 'utf8'), store.folder, { survives: 'process' }),
    get: async (hash) => {
      const bytes = await getBytes(folder, hash);
      return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
    },
  };
}

/** Texts older than thirty days go; a run that needs them cannot be resumed then. */
export function textsFolder(store: Pick<UserStore, 'folder'>): string {
  return path.join(store.folder, 'texts');
}
