import { isRowOfLetters, wordShare } from './drawnValue.js';
import type { Span } from './span.js';
import { standsForSecret, type ValueForm } from './standIn.js';

/**
 * True where a value looks drawn by a machine and not chosen by a person. Judged beside a telling name only: a git hash
 * is as random as a key.
 */
export function looksRandom(value: string, form?: ValueForm): boolean {
  if (value.length < shortestRandom || /\s/.test(value) || standsForSecret(value, form) || isNotation(value))
    return false;
  if (hasRandomShape(value)) return true;
  if (wordShare(value) >= 0.6 || isShortName(value)) return false;
  return /\d/.test(value) || value.length >= 12;
}

function hasRandomShape(value: string): boolean {
  return uuid.test(value) || hex.test(value) || isRowOfLetters(value);
}

const shortestRandom = 8;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const hex = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{16,}$/i;

/** `gpt-4o-mini`: short pieces joined, with hardly a digit. */
function isShortName(value: string): boolean {
  return value.length < 16 && /[-_.]/.test(value) && (value.match(/\d/g)?.length ?? 0) < 3;
}

/** Dates, versions, numbers, addresses: short alphabets that carry digits and mean something. */
export function isNotation(value: string): boolean {
  return /^[\d.,:/TZ+-]*$|^v?\d+(?:\.\d+)+|^[a-z][a-z0-9+.-]*:\/\//i.test(value);
}

/** How many of the four classes of characters a value has; the signs that join words are none. */
export function classesIn(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^\w.:/()-]/].filter((each) => each.test(value)).length;
}

/** A person's password can be anything: short, wordy, full of signs. A bare word that reads aloud is taken for prose. */
export function isPassword(value: string, form: ValueForm): boolean {
  const marked = form !== 'loose';
  if (value.length < (marked && /[^A-Za-z]/.test(value) ? 4 : 6) || noPassword.test(value)) return false;
  if (standsForSecret(value, form)) return false;
  return marked || (!isTerm(value) && !isPlainWord(value));
}

/** Words, numbers, and what has nothing of our alphabet, such as the label of a field in another language. */
const noPassword = /\s|^[\d.,:-]+$|^[^A-Za-z0-9]+$/;

function isPlainWord(value: string): boolean {
  if (!/^[\p{L}_:/.-]+$/u.test(value) || /[a-z][A-Z]/.test(value)) return false;
  return /[^\0-\x7F]/.test(value) || wordShare(value) >= 0.5;
}

/** What passwords are said to be: `12-character`, `base64-encoded`. */
function isTerm(value: string): boolean {
  return (
    /^\d{1,4}-\p{L}+$/u.test(value) ||
    /^(?:base64|sha-?\d+|md5|utf-?(?:8|16)|argon2\w*|aes-?\d+|oauth2?|x509|1password|pkcs\d+)(?![A-Za-z\d])[\p{L}-]*$/iu.test(
      value,
    )
  );
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
