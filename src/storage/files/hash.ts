import { createHash } from 'node:crypto';

/** SHA-256 in hex: the one name under which storage finds bytes again. A text counts as its UTF-8 bytes. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
