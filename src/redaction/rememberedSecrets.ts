import type { Finder, Span } from './span.js';

/** Secrets by value, found again in any text in time that does not grow with their number. */
export interface RememberedSecrets {
  /** Remembers a secret with the kind that it was first found as; one that is too short is not. */
  add(secret: string, kind: string): void;
  readonly find: Finder;
}

/** What stood behind “password:” once may be an ordinary word elsewhere: a shorter one is not remembered. */
const shortest = 12;

export function rememberSecrets(): RememberedSecrets {
  const byStart = new Map<string, Map<string, string>>();
  return {
    add(secret, kind) {
      if (secret.length < shortest) return;
      const start = secret.slice(0, shortest);
      const sharing = byStart.get(start) ?? new Map<string, string>();
      if (!sharing.has(secret)) sharing.set(secret, kind);
      byStart.set(start, sharing);
    },
    find(text) {
      if (byStart.size === 0) return [];
      const found: Span[] = [];
      for (let start = 0; start + shortest <= text.length; start += 1) {
        for (const [secret, kind] of byStart.get(text.slice(start, start + shortest)) ?? []) {
          if (text.startsWith(secret, start)) found.push({ start, end: start + secret.length, kind });
        }
      }
      return found;
    },
  };
}
