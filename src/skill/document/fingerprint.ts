import { sha256 } from '../../hash.js';

const keyLength = 16; // 64 bits: no two skills of one workspace meet, and the name of a folder stays short

/**
 * Which skill this is, by its path relative to the root: the same key on every platform, whichever slash it writes and
 * however it composes accents. Letter case counts.
 */
export function skillKey(relativePath: string): string {
  const parts = relativePath
    .normalize('NFC')
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.');
  return sha256(parts.join('/')).slice(0, keyLength);
}
