import { countLines } from '../document/lines.js';
import type { SkillSize } from '../document/skillDocument.js';

/** The advice of the Agent Skills specification for the body of a skill. */
export const advisedSize: SkillSize = { lines: 500, tokens: 5000 };

/** Lines by which a skill may grow whatever its length, where nobody says otherwise: room for a rule or two. */
export const usualGrowth = 8;

const tokensOfALine = 40; // of a rule: longer than most lines of a skill

/** What a document of this size may grow to: what is advised, or a few lines more than it has where that is more. */
export function grownSize(now: SkillSize, growth: number): SkillSize {
  return largestAllowed({ lines: now.lines + growth, tokens: now.tokens + growth * tokensOfALine }, advisedSize);
}

/** How much a document may still grow; nothing is below zero. */
export function roomLeft(now: SkillSize, allowed: SkillSize): SkillSize {
  return { lines: Math.max(0, allowed.lines - now.lines), tokens: Math.max(0, allowed.tokens - now.tokens) };
}

/** Whether there is so little room that an edit had better replace than add. */
export function isLittleRoom({ lines, tokens }: SkillSize): boolean {
  return lines < littleRoom.lines || tokens < littleRoom.tokens;
}

const littleRoom: SkillSize = { lines: 25, tokens: 600 }; // a step adds up to four edits of some lines each

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
