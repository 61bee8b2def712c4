import { canonicalJson, sha256 } from '../hash.js';

/** A short hash of a JSON value that does not depend on the order of its keys; undefined members count as absent. */
export function canonicalHash(value: unknown): string {
  return hashOfBytes(canonicalJson(value));
}

/** A short hash of a file, or of a text as UTF-8. */
export function hashOfBytes(bytes: string | Uint8Array): string {
  return shortHash(sha256(bytes));
}

/** The short form of a whole hash. */
export function shortHash(hash: string): string {
  return hash.slice(0, hashLength);
}

// 128 bits: no two tasks of any corpus collide by chance, and a line of the split file stays readable.
const hashLength = 32;
