import type { ProposedEdit } from '../ports/proposal.js';
import { linesWithBreaks } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import type { EditHunk } from '../skill/edits/editHunks.js';
import { movedRange, type LineRange } from '../skill/edits/hunks.js';
import type { DecidedState } from './decidedState.js';
import type { OpenChange, ReviewTexts } from './openChange.js';

/** Every place of every open edit, in the order of the proposal's lines, where the texts are what edits make and nothing else. */
export function openEditPlaces(
  { explained: { subsets, edits }, real, candidate }: ReviewTexts,
  { taken, kept }: DecidedState,
): readonly OpenChange[] {
  const { hunks } = subsets.take(kept);
  const moves = alignedHunks(subsets.base, real);
  const [base, current] = [linesWithBreaks(subsets.base), linesWithBreaks(candidate)];
  const placed = (unit: readonly ProposedEdit[], { before: inBase, after }: EditHunk): OpenChange => {
    const before = movedRange(inBase, moves);
    return {
      hunk: { before, after, beforeText: textOf(base, inBase), afterText: textOf(current, after) },
      origin: { kind: 'proposed', edits: unit, edited: false, saysMore: false },
      overwrites: false,
    };
  };
  return subsets.units
    .filter((unit) => unit.every((id) => kept.has(id) && !taken.has(id)))
    .flatMap((unit) => {
      const made = edits.filter(({ id }) => unit.includes(id));
      return places(unit.flatMap((id) => hunks.get(id) ?? [])).map((place) => placed(made, place));
    })
    .toSorted((a, b) => a.hunk.after.start - b.hunk.after.start || a.hunk.after.end - b.hunk.after.end);
}

/** Hunks that touch on both sides are one place. */
function places(hunks: readonly EditHunk[]): readonly EditHunk[] {
  const found: EditHunk[] = [];
  for (const hunk of hunks.toSorted((a, b) => a.after.start - b.after.start || a.before.start - b.before.start)) {
    const last = found.at(-1);
    if (last !== undefined && touches(last.after, hunk.after) && touches(last.before, hunk.before))
      found[found.length - 1] = { before: spanning(last.before, hunk.before), after: spanning(last.after, hunk.after) };
    else found.push(hunk);
  }
  return found;
}

function touches(a: LineRange, b: LineRange): boolean {
  return b.start <= a.end && a.start <= b.end;
}

function spanning(a: LineRange, b: LineRange): LineRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

function textOf(lines: readonly string[], { start, end }: LineRange): string {
  return lines.slice(start, end).join('');
}
