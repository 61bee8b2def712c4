import { createHmac } from 'node:crypto';

/**
 * What stands in the text where a secret stood: the kind, and twelve digits of a keyed hash. One word of plain ASCII, so
 * that it survives JSON, URLs, shells and tokenizers, and keyed, so that nobody without the key can test a guess.
 */
export function placeholderFor(kind: string, secret: string, key: string): string {
  const digest = createHmac('sha256', key).update(secret).digest('hex');
  return `REDACTED_${kind}_${digest.slice(0, hashDigits)}`;
}

const hashDigits = 12; // 48 bits: two secrets of one text never meet by chance

/** Finds every placeholder, ours or another run's. Use with `matchAll` or `replaceAll` only: both start afresh. */
export const placeholderPattern = /REDACTED_[a-z0-9-]{1,40}_[0-9a-f]{12}/g;
