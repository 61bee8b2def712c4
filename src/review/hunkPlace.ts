import type { LineRange } from '../skill/edits/hunks.js';
import type { ReviewedHunk } from './reviewHunks.js';

/**
 * The line of the proposal above which a change's row stands: its first line; of a deletion the line after it, and at the
 * end of the text, where there is none, the last one.
 */
export function lensLine({ hunk }: ReviewedHunk, lineCount: number): number {
  return Math.max(0, Math.min(hunk.after.start, lineCount - 1));
}

/** The lines of all rows. Two on one line would be one row: what takes lines away gives way, upwards while there is room. */
export function lensLines(hunks: readonly ReviewedHunk[], lineCount: number): readonly number[] {
  const wanted = hunks.map((hunk) => lensLine(hunk, lineCount));
  const isFirm = (at: number): boolean => hunks[at] !== undefined && !isEmpty(hunks[at].hunk.after);
  const used = new Set(wanted.filter((_, at) => isFirm(at)));
  return wanted.map((line, at) => {
    if (isFirm(at)) return line;
    let free = line;
    while (free > 0 && used.has(free)) free -= 1;
    used.add(free);
    return free;
  });
}

function isEmpty({ start, end }: LineRange): boolean {
  return start === end;
}

/**
 * The last line that a change adds, under which its rationale stands; of a deletion the line before it, where the lines were
 * that it takes away: under the line after them it would seem to speak of that one.
 */
export function lastLine({ hunk }: ReviewedHunk, lineCount: number): number {
  return Math.max(0, Math.min(hunk.after.end - 1, lineCount - 1));
}

const shownAbove = 2; // of the lines that stay unfolded above a change; one is left for a diff that begins a line earlier

/**
 * Where the row about the whole proposal stands: as high as it can be seen, since lenses in folded lines are hidden.
 * Undefined where no change is left that would keep lines unfolded.
 */
export function topLine(hunks: readonly ReviewedHunk[]): number | undefined {
  const [first] = hunks;
  return first === undefined ? undefined : Math.max(0, first.hunk.after.start - shownAbove);
}

/** The change at a line of the proposal, or of the file; a deletion is found on both sides of where it was. */
export function hunkAt(
  hunks: readonly ReviewedHunk[],
  side: 'before' | 'after',
  line: number,
): ReviewedHunk | undefined {
  const inside = hunks.find(({ hunk }) => hunk[side].start <= line && line < hunk[side].end);
  if (inside !== undefined) return inside;
  return hunks.find(({ hunk: { [side]: range } }) => range.start === range.end && Math.abs(line - range.start) <= 1);
}
