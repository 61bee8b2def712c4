import { mergeSpans, type Finder, type Span } from './span.js';

/**
 * Finds secrets that are known by value, whatever their shape, also written as an address, a header or a log may hold
 * them: percent-encoded, or in base64 by themselves or behind something else. A long one is found anywhere; a short one as
 * a word of its own, because it may be part of others. What local servers are given in place of a key is a word, and no
 * secret.
 */
export function knownFinder(known: readonly string[]): Finder {
  const secrets = known.filter((secret) => secret.length >= shortest && !isNoKey(secret));
  const encoded = secrets.filter((secret) => secret.length >= shortestEncoded).map(encodedForms);
  const percents = [...new Set(encoded.flatMap(({ percent }) => percent))];
  const base64 = [...new Set(encoded.flatMap((forms) => forms.base64))];
  return (text) => [
    ...[...secrets, ...percents].flatMap((secret) => occurrences(text, secret)),
    ...base64.flatMap((core) => occurrences(text, core).map((span) => wholeWord(text, span))),
  ];
}

/** Takes keys that are known by value out of texts. */
export function hidingKnown(known: readonly string[]): (text: string) => string {
  const find = knownFinder(known);
  return (text) =>
    mergeSpans(find(text)).reduceRight((rest, { start, end }) => `${rest.slice(0, start)}***${rest.slice(end)}`, text);
}

const shortestEncoded = 12; // the core of a shorter one may stand in ordinary base64 by chance

/** What a secret looks like where it was encoded; of base64 the part that no neighbour changes, for each way to begin. */
function encodedForms(secret: string): { readonly percent: readonly string[]; readonly base64: readonly string[] } {
  const percent = encodeURIComponent(secret);
  const lower = percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const cores = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
  return { percent: [percent, lower].filter((form) => form !== secret), base64: cores };
}

/** What stands around the core belongs to it: the rest of its first and last character, and what it was encoded with. */
function wholeWord(text: string, { start, end, kind }: Span): Span {
  const before = /[\w+/-]*$/u.exec(text.slice(Math.max(0, start - farthest), start))?.[0].length ?? 0;
  const after = /^[\w+/-]*={0,2}/u.exec(text.slice(end, end + farthest))?.[0].length ?? 0;
  return { start: start - before, end: end + after, kind };
}

const farthest = 4_096;

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
