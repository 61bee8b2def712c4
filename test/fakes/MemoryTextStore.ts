import { createHash } from 'node:crypto';
import type { TextStore } from '../../src/ports/stores.js';

export class MemoryTextStore implements TextStore {
  readonly texts = new Map<string, string>();

  async put(text: string): Promise<string> {
    const hash = createHash('sha256').update(text).digest('hex');
    this.texts.set(hash, text);
    return hash;
  }

  async get(hash: string): Promise<string | undefined> {
    return this.texts.get(hash);
  }
}
