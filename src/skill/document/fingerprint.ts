import { createHash } from 'node:crypto';

/** SHA-256 of the text as UTF-8, in hex: what pins a proposal to exactly one text. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

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
  return hashText(parts.join('/')).slice(0, keyLength);
}
