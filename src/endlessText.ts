/**
 * Whether a text ends in the same words over and over, as a model writes that will not stop by itself: without any change
 * for thousands of characters, a dozen times at least, or in white space alone. A list whose items differ, a table with
 * other figures, a refrain and a ruled line are nothing of the kind. Takes time by the length of the end that is looked at.
 */
export function endsInRepetition(text: string): boolean {
  return endsInBlanks(text) || loops.some(({ length, longest }) => hasPeriod(text, length, longest));
}

/** Looked at again once this many characters more have come. */
export const repetitionStep = 500;

/** How long an end must be that repeats itself, and how long what it repeats may be. */
const loops = [
  { length: 3_000, longest: 250 }, // a line or a phrase, a dozen times
  { length: 6_000, longest: 1_000 }, // a paragraph, six times
] as const;

const mostBlanks = 2_000; // servers that hold a model to JSON let it write white space for ever

function endsInBlanks(text: string): boolean {
  return text.length >= mostBlanks && text.slice(-mostBlanks).trim() === '';
}

/** Whether the last `length` characters are one piece of at most `longest` characters, again and again. */
function hasPeriod(text: string, length: number, longest: number): boolean {
  if (text.length < length) return false;
  const end = text.slice(-length);
  // By Knuth, Morris and Pratt: the longest start that is also an end tells the shortest period.
  const borders = new Uint16Array(length);
  for (let at = 1, border = 0; at < length; at += 1) {
    while (border > 0 && end[at] !== end[border]) border = borders[border - 1] ?? 0;
    if (end[at] === end[border]) border += 1;
    borders[at] = border;
  }
  return length - (borders[length - 1] ?? 0) <= longest;
}
