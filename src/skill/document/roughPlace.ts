import type { SkillDocument } from './skillDocument.js';
import { overlaps, type Span } from './span.js';

/**
 * Where the words of a text stand in a document, white space, line breaks and list marks at line starts aside, if that is
 * exactly one place. In code white space has a meaning: nothing is found there. A mark that the text has in the middle of
 * a line counts as one only where the document has its own there, for models put the lines of a list into one.
 */
export function roughPlaceOf(document: SkillDocument, text: string): Span | undefined {
  const wanted = wordsIn(text).map((word) => ({ ...word, isMark: markLike.test(word.text) }));
  if (wanted.length === 0 || wanted.at(-1)?.isMark === true) return undefined;
  const [place, ...others] = placesOf(wordsOf(document), wanted);
  if (place === undefined || others.length > 0) return undefined;
  return document.fences.some(({ span }) => overlaps(span, place)) ? undefined : place;
}

/** The first two places; none where that would be looked for too long. */
function placesOf(words: readonly Word[], wanted: readonly Word[]): readonly Span[] {
  const places: Span[] = [];
  let steps = 0;
  for (let from = 0; from < words.length && places.length < 2; from += 1) {
    const { place, looked } = placeFrom(words, from, wanted);
    steps += looked;
    if (steps > mostSteps) return [];
    if (place !== undefined) places.push(place);
  }
  return places;
}

const markLike = /^(?:[*+•-]|\d{1,9}[.)])$/;
const mostSteps = 2_000_000; // words compared: a text that repeats itself is not looked through for ever

interface Word extends Span {
  readonly text: string;
  /** The first on its line. */
  readonly startsLine: boolean;
  /** A list mark; in what is looked for, what may be one. */
  readonly isMark: boolean;
}

function wordsOf({ text, items }: SkillDocument): readonly Word[] {
  const marks = new Set(items.map(({ span }) => span.start));
  return wordsIn(text).map((word) => ({ ...word, isMark: marks.has(word.start) && markLike.test(word.text) }));
}

function wordsIn(text: string): readonly Omit<Word, 'isMark'>[] {
  let end = 0;
  return Array.from(text.matchAll(/\S+/g), ({ 0: word, index: start }) => {
    const startsLine = end === 0 || /[\r\n]/.test(text.slice(end, start));
    end = start + word.length;
    return { text: word, start, end, startsLine };
  });
}

interface Look {
  readonly place?: Span | undefined;
  /** How many words were compared. */
  readonly looked: number;
}

function placeFrom(words: readonly Word[], from: number, wanted: readonly Word[]): Look {
  // A mark before the first word is left for who begins at that word.
  if (words[from]?.isMark === true && wanted[0]?.isMark !== true) return { looked: 1 };
  const taken: Span[] = [];
  let at = from;
  let next = 0;
  for (let word = wanted[0]; word !== undefined; word = wanted[next]) {
    const here = words[at];
    const step = here && stepOf(here, word, { isFirst: next === 0, isLast: next === wanted.length - 1 });
    if (step === undefined) return { looked: at - from + 1 };
    if (step.place !== undefined) taken.push(step.place);
    at += step.here;
    next += step.wanted;
  }
  return { place: around(taken), looked: at - from };
}

function around(spans: readonly Span[]): Span | undefined {
  const [first, last] = [spans[0], spans.at(-1)];
  return first && last && { start: first.start, end: last.end };
}

interface Step {
  /** How many words are behind it then, of the document and of what is looked for. */
  readonly here: 0 | 1;
  readonly wanted: 0 | 1;
  /** What of the document it took. */
  readonly place?: Span;
}

function stepOf(here: Word, word: Word, at: WordPlace): Step | undefined {
  if (here.isMark) return word.isMark ? { here: 1, wanted: 1, place: here } : { here: 1, wanted: 0 };
  const place = partOf(here, word, at);
  if (place !== undefined) return { here: 1, wanted: 1, place };
  return word.isMark && word.startsLine && here.startsLine ? { here: 0, wanted: 1 } : undefined;
}

interface WordPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** A text may begin and end within a word, as one that is written exactly may. */
function partOf({ text, start, end }: Word, { text: wanted }: Word, { isFirst, isLast }: WordPlace): Span | undefined {
  if (text === wanted) return { start, end };
  if (isFirst && !isLast && text.endsWith(wanted)) return { start: end - wanted.length, end };
  return isLast && !isFirst && text.startsWith(wanted) ? { start, end: start + wanted.length } : undefined;
}
