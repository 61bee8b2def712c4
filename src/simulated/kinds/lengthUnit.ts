import type { LengthUnit } from '../target/plan.js';

/** A unit of length as a piece of a regular expression without groups. */
export const unitPattern = '(?:words?|characters?|chars?|letters|sentences?|lines?|paragraphs?)';

/** The unit that {@link unitPattern} matched. */
export function unitIn(word: string): LengthUnit {
  if (word.startsWith('word')) return 'words';
  if (word.startsWith('sentence')) return 'sentences';
  if (word.startsWith('line')) return 'lines';
  if (word.startsWith('paragraph')) return 'paragraphs';
  return 'characters';
}

/** `1 word`, `2 words`. */
export function amount(count: number, unit: LengthUnit): string {
  return `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;
}

/** A bound on a part (each bullet, the title) is no bound on the answer, and is not understood. */
export function isAboutPart(plain: string): boolean {
  return /\b(?:each|every|per)\s+(?:\w+\s+)?(?:bullets?|items?|sections?|paragraphs?|sentences?|lines?|points?|steps?|rows?|entry|entries)\b|\b(?:title|subject|headline|heading|summary|tl;dr|section|introduction)\b/.test(
    plain,
  );
}
