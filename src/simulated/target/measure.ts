import type { LengthBounds, LengthUnit } from './plan.js';

/** How long a text is in one unit. Sentences end in a full stop, a question or an exclamation mark before white space. */
function lengthIn(unit: LengthUnit, text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  switch (unit) {
    case 'characters':
      return trimmed.length;
    case 'words':
      return trimmed.split(/\s+/).length;
    case 'sentences':
      return Math.max(1, trimmed.match(/[.!?](?=\s|$)|[。！？]/g)?.length ?? 0);
    case 'lines':
      return trimmed.split('\n').length;
    case 'paragraphs':
      return trimmed.split(/\n\s*\n/).length;
  }
}

/** About how many characters one of the unit is; only to see whether two bounds contradict each other. */
export function charactersIn(unit: LengthUnit, count: number): number {
  const size: Readonly<Record<LengthUnit, number>> = {
    characters: 1,
    words: 6.5,
    sentences: 90,
    lines: 90,
    paragraphs: 450,
  };
  return size[unit] * count;
}

export function isWithin(text: string, most: LengthBounds): boolean {
  return entries(most).every(([unit, count]) => lengthIn(unit, text) <= count);
}

export function reaches(text: string, least: LengthBounds): boolean {
  return entries(least).every(([unit, count]) => lengthIn(unit, text) >= count);
}

const units: readonly LengthUnit[] = ['characters', 'words', 'sentences', 'lines', 'paragraphs'];

function entries(bounds: LengthBounds): readonly (readonly [LengthUnit, number])[] {
  return units.flatMap((unit) => {
    const count = bounds[unit];
    return count === undefined ? [] : [[unit, count] as const];
  });
}
