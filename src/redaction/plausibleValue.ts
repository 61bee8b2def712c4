import { isDrawn, isRowOfLetters, wordShare } from './drawnValue.js';
import { longWordsIn } from './longWords.js';
import { isFormula, isNamed, isNotation, isTerm } from './notation.js';
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
  if (wordShare(value) >= 0.6 || isShortName(value) || isCountedName(value)) return false;
  return /\d/.test(value) || value.length >= 12;
}

/** Random, and hardly any of it can be read aloud. */
export function isDrawnToken(value: string): boolean {
  return isDrawn(value) && looksRandom(value, 'loose');
}

/** Such a one that is too long to be the name of something. */
export function isLongToken(value: string): boolean {
  return value.length >= shortestLong && isDrawnToken(value);
}

const shortestLong = 16;

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

/** `shop-db-2024`: small words joined, with a number behind them. */
function isCountedName(value: string): boolean {
  return /^[a-z]{2,12}(?:-[a-z]{2,12})*-v?\d{1,4}$/.test(value) && wordShare(value) > 0.3;
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
  return marked || (!isTerm(value) && !isPlainWord(value) && !isFormula(value));
}

/** Words, numbers, and what has nothing of our alphabet, such as the label of a field in another language. */
const noPassword = /\s|^[\d.,:-]+$|^[^A-Za-z0-9]+$/;

function isPlainWord(value: string): boolean {
  if (!/^[\p{L}_:/.-]+$/u.test(value) || /[a-z][A-Z]/.test(value)) return false;
  return /[^\0-\x7F]/.test(value) || wordShare(value) >= 0.5;
}

const fewestChosen = 8;

/** As people choose passwords when they are told to mix, or as machines draw them. */
export function isChosen(value: string): boolean {
  if (standsForSecret(value, 'loose') || isNotation(value)) return false;
  return isDrawn(value) || (value.length >= fewestChosen && classesIn(value) === 4);
}

/** As drawn as a machine's, or a person's with all classes of characters: only a space stands before it. */
export function isSpokenPassword(value: string): boolean {
  if (value.length < 6 || !isChosen(value) || !isPassword(value, 'loose') || isNamed(value)) return false;
  return classesIn(value) >= 3 || looksRandom(value);
}

/** As people choose passwords who were not told to mix, too: a word with a year behind it, words with a number. */
export function isLikelyPassword(value: string): boolean {
  if (!isPassword(value, 'loose') || isNotation(value) || isNamed(value)) return false;
  if (joinedWords.test(value)) return false;
  return isDrawn(value) || (/\d/.test(value) && classesIn(value) >= 3) || /^\p{L}{3,}\d{2,}\p{L}?$/u.test(value);
}

/** `Reset2Page`. */
const joinedWords = /^[A-Z]?[a-z]+\d*(?:[A-Z][a-z]+\d*)*[A-Z][a-z]{2,}$/;

/**
 * A value that nobody writes for its meaning, wherever it stands: every class of characters, or letters and digits that
 * change places all the time. Hashes and names of versions are none.
 */
export function isUnmistakable(value: string): boolean {
  if (value.length < fewestChosen || !unmistakableForm.test(value) || hashOrVersion.test(value)) return false;
  if (!isDrawn(value) || isNotation(value) || isNamed(value) || !isPassword(value, 'loose')) return false;
  return classesIn(value) === 4 || (changes(value) >= 0.42 && /\d\D+\d/.test(value));
}

const unmistakableForm = /^(?=.*\d)[\w!@#$%^&*?+.~=-]{1,64}$/;
/** And what stands in programs only. */
const hashOrVersion = /^(?:[\da-f.-]+|v\d.*)$|&&|[!=]=/i;

/**
 * Random-looking words without a telling name or prefix. Deliberately shy: hashes, integrity strings, images, public keys
 * and long identifiers look alike and are far more common, so only words that mix all three classes of characters
 * without pause are taken.
 */
export function findHighEntropy(text: string): readonly Span[] {
  if (longWordsIn(text, shortestCandidate).length === 0) return [];
  return [...text.matchAll(candidate)]
    .filter((match) => isRandomWord(match[0]) && !isKnownLookAlike(text, match.index, match[0]))
    .map((match) => ({ start: match.index, end: match.index + match[0].length, kind: 'high-entropy' }));
}

const shortestCandidate = 32;
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
    /(?:sha\d{1,3}[-:=]["']?|h1:|md5[-:=]|base64,|integrity\W{1,4}|ssh-\w+ |ecdsa-\S+ |(?:digest|checksum|etag|commit)\W{1,4})$/i.test(
      before,
    ) ||
    /^(?:sha\d{1,3}-|AAAA[BCE])/.test(word) ||
    isLineOfBlock(text, start, word.length) ||
    isEncodedText(word)
  );
}

/**
 * Base64 wrapped over lines (an image, a certificate): the neighbouring line is such a line as well. Where JSON has `\\n`
 * two spaces stand here, and such a line is as long as a certificate’s.
 */
function isLineOfBlock(text: string, start: number, length: number): boolean {
  const before = /(?:^|\n)[ \t>]*([\w+/=-]*)\r?\n[ \t>]*$/.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? '';
  const after = /^\r?\n[ \t>]*([\w+/=-]*)/.exec(text.slice(start + length, start + length + 200))?.[1] ?? '';
  if (Math.max(before.length, after.length) >= 32) return true;
  return isBelowBlock(text, start) || /^ {2}[\w+/]{64} {2}/.test(text.slice(start + length, start + length + 70));
}

/** Below a line of a certificate, or of what else is wrapped as those are. */
export function isBelowBlock(text: string, start: number): boolean {
  return /(?<![\w+/])[\w+/]{64}(?: {2}|\r?\n)$/.test(text.slice(Math.max(0, start - 67), start));
}

function isEncodedText(word: string): boolean {
  const decoded = Buffer.from(word, 'base64').toString('latin1');
  return /^[\t\n\r -~]+$/.test(decoded);
}
