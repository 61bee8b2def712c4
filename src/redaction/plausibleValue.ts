import type { Span } from './span.js';

/**
 * True where a value only stands for a secret, as documentation does: a variable, a template, a type, a call, a row of
 * stars, or plain words one of which says that it is not real.
 */
export function standsForSecret(value: string): boolean {
  return notValues.some((pattern) => pattern.test(value)) || isPlainSaying(value);
}

function isPlainSaying(value: string): boolean {
  if (!/^[A-Za-z]+(?:[-_. ]+[A-Za-z]+)*\d{0,3}$/.test(value) || wordShare(value) < 0.6) return false;
  return segmentsOf(value).some((segment) => sayings.has(segment.toLowerCase().replace(/s$/, '')));
}

const notValues = [
  /^<.*>?$|^\[.*\]?$|^\{.*\}?$/, // <token>, [token], {token}, {{ token }}
  /^\$(?:\w+|\{.*|\(.*)$/, // $TOKEN, ${TOKEN}, $(command)
  /^%\w+%?$|^@\w+@$/, // %TOKEN%, @token@
  /^(.)\1*$/, // ****, xxxx, ....
  /[*•]{3,}|x{5,}|\.{3}|…/i, // sk-****, abc...
  /^(?:str(?:ing)?|text|number|int(?:eger)?|bool(?:ean)?|bytes|nul{1,2}|none|nil|undefined|true|false|any|unknown|object|optional|required|secretstr)\b/i,
  /\(/, // getPassword()
  /^(?:process\.env|os\.environ|import\.meta|env|ENV|secrets?|vars?|config|settings|options?|this|self|args?|params|req(?:uest)?)[.[]/,
  /^[A-Za-z_]\w*(?:\??\.[A-Za-z_]\w*)+$/, // user.password
  /^(?:~|\.{0,2})\/[\w./-]*$|^[A-Za-z]:\\/, // paths
];
const sayings = new Set(
  'your my the some example sample dummy fake placeholder change changeme changeit replace redacted insert todo here test testing demo foo bar pas pass password passwd secret token key user username admin value hidden env prompt hunter string'.split(
    ' ',
  ),
);

/**
 * True where a value looks drawn by a machine and not chosen by a person. Judged beside a telling name only: a git hash
 * is as random as a key.
 */
export function looksRandom(value: string): boolean {
  if (value.length < shortestRandom || /\s/.test(value) || standsForSecret(value) || isNotation(value)) return false;
  if (uuid.test(value) || hex.test(value)) return true;
  if (wordShare(value) >= 0.6 || isShortName(value)) return false;
  return /\d/.test(value) || value.length >= 12;
}

const shortestRandom = 8;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** `gpt-4o-mini`: short pieces joined, with hardly a digit. */
function isShortName(value: string): boolean {
  return value.length < 16 && /[-_.]/.test(value) && (value.match(/\d/g)?.length ?? 0) < 3;
}

/** Dates, versions, numbers, addresses: short alphabets that carry digits and mean something. */
function isNotation(value: string): boolean {
  return /^[\d.,:/TZ+-]*$|^v?\d+(?:\.\d+)+|^[a-z][a-z0-9+.-]*:\/\//i.test(value);
}

/** The share of a value's letters and digits that lie in segments a person could read aloud. */
export function wordShare(value: string): number {
  const segments = segmentsOf(value);
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  const spoken = segments.filter(isSpoken).reduce((sum, segment) => sum + segment.length, 0);
  return length === 0 ? 0 : spoken / length;
}

/** Words between separators and at humps; a word riddled with digits is one piece, however its letters lie. */
function segmentsOf(value: string): readonly string[] {
  return value
    .split(/[^A-Za-z0-9]+/)
    .flatMap((word) => (isRiddled(word) ? [word] : (word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [])));
}

function isRiddled(word: string): boolean {
  const inside = word.match(/(?<=[A-Za-z])\d+(?=[A-Za-z])/g)?.length ?? 0;
  const groups = word.match(/\d+/g)?.length ?? 0;
  return inside >= 1 && (groups >= 2 || word.length >= 13);
}

function isSpoken(segment: string): boolean {
  return /^[A-Za-z]{3,}$/.test(segment) && /[aeiouy]/i.test(segment) && !/[^aeiouy]{5}/i.test(segment);
}

/**
 * Random-looking words without a telling name or prefix. Deliberately shy: hashes, integrity strings, images, public keys
 * and long identifiers look alike and are far more common, so only words that mix all three classes of characters
 * without pause are taken.
 */
export function findHighEntropy(text: string): readonly Span[] {
  return [...text.matchAll(candidate)]
    .filter((match) => isRandomWord(match[0]) && !isKnownLookAlike(text, match.index, match[0]))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, kind: 'high-entropy' }));
}

const candidate = /(?<![\w+/=.-])[A-Za-z0-9][\w+/-]{31,127}={0,2}(?![\w+/=-])/g;

function isRandomWord(word: string): boolean {
  const counts = [/[a-z]/g, /[A-Z]/g, /\d/g].map((characters) => word.match(characters)?.length ?? 0);
  if (counts.some((count) => count < 3) || new Set(word).size < 16) return false;
  return changes(word) >= 0.42 && wordShare(word) < 0.5;
}

/**
 * How often neighbours differ in class. 0.62 is expected of a random word of letters and digits, 0.25 to 0.35 of an
 * identifier with numbers in it.
 */
function changes(word: string): number {
  const runs = word.match(/[a-z]+|[A-Z]+|[^A-Za-z]+/g) ?? [];
  return (runs.length - 1) / (word.length - 1);
}

function isKnownLookAlike(text: string, start: number, word: string): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  return (
    /(?:sha\d{1,3}[-:=]|h1:|md5[-:=]|base64,|integrity\W{1,4}|ssh-\w+ |ecdsa-\S+ |(?:digest|checksum|etag|commit)\W{1,4})$/i.test(
      before,
    ) ||
    /^(?:sha\d{1,3}-|AAAA[BCE])/.test(word) ||
    isLineOfBlock(text, start, word.length) ||
    isEncodedText(word)
  );
}

/** Base64 wrapped over lines (an image, a certificate): the neighbouring line is such a line as well. */
function isLineOfBlock(text: string, start: number, length: number): boolean {
  const before = /(?:^|\n)[ \t>]*([\w+/=-]*)\r?\n[ \t>]*$/.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? '';
  const after = /^\r?\n[ \t>]*([\w+/=-]*)/.exec(text.slice(start + length, start + length + 200))?.[1] ?? '';
  return Math.max(before.length, after.length) >= 32;
}

function isEncodedText(word: string): boolean {
  const decoded = Buffer.from(word, 'base64').toString('latin1');
  return /^[\t\n\r -~]+$/.test(decoded);
}
