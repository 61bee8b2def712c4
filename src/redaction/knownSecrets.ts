import type { Finder, Span } from './span.js';

/**
 * Finds secrets that are known by value, whatever their shape. A long one is found anywhere; a short one as a word of its
 * own, because it may be part of others. What local servers are given in place of a key is a word, and no secret.
 */
export function knownFinder(known: readonly string[]): Finder {
  const secrets = known.filter((secret) => secret.length >= shortest && !isNoKey(secret));
  return (text) => secrets.flatMap((secret) => occurrences(text, secret));
}

/** The text without a key that is known by value. */
export function withoutKnown(text: string, secret: string): string {
  return knownFinder([secret])(text).reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}***${rest.slice(end)}`,
    text,
  );
}

const shortest = 4; // nobody keeps anything safe with three characters
const longEnough = 16; // no ordinary word holds it by chance

/** `ollama`, `none` and `lm-studio` are what manuals say to write where a key is asked for and none is needed. */
function isNoKey(secret: string): boolean {
  return noKeys.has(secret.toLowerCase());
}

const noKeys: ReadonlySet<string> = new Set(
  'ollama lm-studio lmstudio lm_studio vllm llama llamacpp llama.cpp local localhost none null empty dummy fake test token key api-key apikey api_key secret password placeholder anything whatever unused ignored nothing not-needed not_needed not-required no-key no_key nokey no-key-required sk-no-key-required sk-local sk-dummy sk-test sk-xxx sk-1234 token-abc123 change-me changeme your-api-key your_api_key undefined n/a 1234 12345 123456 xxxx'.split(
    ' ',
  ),
);

function occurrences(text: string, secret: string): readonly Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length)) {
    const end = start + secret.length;
    if (secret.length >= longEnough || standsAlone(text, start, end)) found.push({ start, end, kind: 'known' });
  }
  return found;
}

function standsAlone(text: string, start: number, end: number): boolean {
  return (
    !/^[A-Za-z0-9]$/.test(text.slice(Math.max(0, start - 1), start)) && !/^[A-Za-z0-9]$/.test(text.slice(end, end + 1))
  );
}
