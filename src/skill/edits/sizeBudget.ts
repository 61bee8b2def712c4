import { countLines } from '../document/lines.js';
import type { SkillSize } from '../document/skillDocument.js';

/** The advice of the Agent Skills specification for the body of a skill. */
export const advisedSize: SkillSize = { lines: 500, tokens: 5000 };

/** What a document may grow to: the budget, or the size it has already where that is larger. */
export function largestAllowed(now: SkillSize, budget: SkillSize): SkillSize {
  return { lines: Math.max(now.lines, budget.lines), tokens: Math.max(now.tokens, budget.tokens) };
}

const mostReading = 1_500_000;
const ofALine = 20; // what a line costs beside its characters

/** How many edits may be applied to a text in one go: each reads it anew, and others wait meanwhile. */
export function mostEditsOn(text: string): number {
  return Math.floor(mostReading / (text.length + countLines(text) * ofALine));
}

/** In words, what is too much; undefined where the size is allowed. */
export function findExcess(size: SkillSize, allowed: SkillSize): string | undefined {
  if (size.lines > allowed.lines) return `The document would have ${size.lines} lines; ${allowed.lines} are allowed.`;
  if (size.tokens <= allowed.tokens) return undefined;
  return `The document would have about ${size.tokens} tokens; ${allowed.tokens} are allowed.`;
}
