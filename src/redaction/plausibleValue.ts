import { wordShare } from './drawnValue.js';
import type { Span } from './span.js';
import { standsForSecret, type ValueForm } from './standIn.js';

/**
 * True where a value looks drawn by a machine and not chosen by a person. Judged beside a telling name only: a git hash
 * is as random as a key.
 */
export function looksRandom(value: string, form?: ValueForm): boolean {
  if (value.length < shortestRandom || /\s/.test(value) || standsForSecret(value, form) || isNotation(value))
    return false;
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
export function isNotation(value: string): boolean {
  return /^[\d.,:/TZ+-]*$|^v?\d+(?:\.\d+)+|^[a-z][a-z0-9+.-]*:\/\//i.test(value);
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
