import { mergeSpans, type Finder, type Span } from './span.js';

/**
 * Finds secrets that are known by value, whatever their shape, also written as an address, a header or a log may hold
 * them: with any of their letters percent-encoded or escaped (`%73`, `\u0073`, `\x73`), in hex, or in base64 by themselves
 * or behind something else. A long one is found anywhere; a short one as a word of its own, because it may be part of
 * others. What local servers are given in place of a key is a word, and no secret.
 */
export function knownFinder(known: readonly string[]): Finder {
  const secrets = known.filter((secret) => secret.length >= shortest && !isNoKey(secret));
  const long = [...new Set(secrets.filter((secret) => secret.length >= shortestEncoded))];
  const spelled = long.map(spellings);
  const exact = [...secrets, ...long.flatMap(hexForms)];
  const base64 = [...new Set(long.flatMap(base64Cores))];
  return (text) => [
    ...exact.flatMap((form) => occurrences(text, form)),
    ...(mayBeSpelled.test(text) ? spelled.flatMap((pattern) => matches(text, pattern)) : []),
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

/** Most texts hold no sign of it, and are not gone through again for each secret. */
const mayBeSpelled = /%[0-9A-Fa-f]{2}|\\u00|\\x/;

/** Each letter as itself, percent-encoded, or escaped as JSON and programs do, which may have been put into JSON again. */
function spellings(secret: string): RegExp {
  const letters = Array.from(secret, (letter) => {
    const percent = [...Buffer.from(letter)].map((byte) => `%${inHex(byte, 2)}`).join('');
    const units = Array.from({ length: letter.length }, (_, at) => escaped(letter.charCodeAt(at))).join('');
    const itself = `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`; // whatever it means in a pattern
    return `(?:${itself}|${percent}|${units})`;
  });
  return new RegExp(letters.join(''), 'gu');
}

function escaped(unit: number): string {
  const short = unit <= 0xff ? `|x${inHex(unit, 2)}` : '';
  return `\\\\{1,4}(?:u${inHex(unit, 4)}${short})`;
}

/** A number in hex as a pattern that takes capitals and small letters. */
function inHex(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function hexForms(secret: string): readonly string[] {
  const hex = Buffer.from(secret).toString('hex');
  return [hex, hex.toUpperCase()];
}

/** Of a secret in base64 the part that no neighbour changes, for each way to begin. */
function base64Cores(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
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

function matches(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: { length }, index }) => spanned(text, index, index + length));
}

function occurrences(text: string, secret: string): readonly Span[] {
  const found: Span[] = [];
  for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + secret.length))
    found.push(...spanned(text, start, start + secret.length));
  return found;
}

function spanned(text: string, start: number, end: number): readonly Span[] {
  return end - start >= longEnough || standsAlone(text, start, end) ? [{ start, end, kind: 'known' }] : [];
}

function standsAlone(text: string, start: number, end: number): boolean {
  return (
    !/^[A-Za-z0-9]$/.test(text.slice(Math.max(0, start - 1), start)) && !/^[A-Za-z0-9]$/.test(text.slice(end, end + 1))
  );
}
