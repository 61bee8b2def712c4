import { instructionsIn } from '../reading/readInstructions.js';

// Where a skill says what answers look like, the likeliest first.
const headings: readonly RegExp[] = [
  /\b(?:format|output|structure|layout|shape)\b/i,
  /\b(?:rules?|guidelines?|requirements?|instructions?)\b/i,
  /\bhow\b.*\b(?:write|writing|answer|reply|talk|say|respond)\b|\bwriting\b|\bstyle\b/i,
  /\bwhat (?:goes|belongs)\b|\bcontents?\b/i,
  /\btone\b/i,
];

/** The last line of the section where a new rule belongs, as an anchor; none where the skill has no such section. */
export function placeForRules(skill: string): string | undefined {
  const lines = skill.split(/\r?\n/);
  for (const wanted of headings) {
    for (const [at, line] of lines.entries()) {
      const last = /^#{2,6}\s/.test(line) && wanted.test(line) ? lastLineBeneath(lines, at) : undefined;
      if (last !== undefined && occursOnce(skill, last)) return last;
    }
  }
  return undefined;
}

/**
 * The author's own last line, rather than a rule that may have been learnt: an edit must not hang on another. None beneath a
 * heading with code, a table or a marked region, which are better left alone.
 */
function lastLineBeneath(lines: readonly string[], heading: number): string | undefined {
  const end = lines.findIndex((line, at) => at > heading && /^#{1,6}\s/.test(line));
  const section = lines.slice(heading + 1, end < 0 ? undefined : end).filter((line) => line.trim() !== '');
  return section.some((line) => /^\s*(?:`{3}|~{3}|\||<)/.test(line))
    ? undefined
    : (section.findLast((line) => instructionsIn(line).length === 0) ?? section.at(-1));
}

function occursOnce(text: string, part: string): boolean {
  const at = text.indexOf(part);
  return at >= 0 && !text.includes(part, at + 1);
}
