import { applyHunks, type Hunk, type LineRange } from '../skill/edits/hunks.js';
import { linesWithBreaks } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';

/** A text that followed a change of the file, and the changes that it could not follow. */
export interface CarryResult {
  readonly text: string;
  readonly conflicts: readonly Hunk[];
}

/**
 * Makes the change that the file went through in another text that was made from it, so that the person's own words do not
 * look like something the proposal wants to take away. A change that meets one of the other text's own is left out: both
 * stay, and the person decides.
 */
export function carryOver(before: string, after: string, text: string): CarryResult {
  if (before === after) return { text, conflicts: [] };
  if (before === text) return { text: after, conflicts: [] };
  const own = alignedHunks(before, text);
  const changes = alignedHunks(before, after)
    .flatMap(byLine)
    .filter((change) => !own.some((hunk) => isSame(hunk, change)));
  const conflicts = changes.filter((change) => own.some((hunk) => meets(change.before, hunk.before)));
  const carried = changes.filter((change) => !conflicts.includes(change)).map((change) => moved(change, own));
  return { text: applyHunks(text, carried), conflicts };
}

/** What a formatter does to a row of lines, line by line: where the proposal changes one of them, the others can follow. */
function byLine(change: Hunk): readonly Hunk[] {
  const [old, current] = [linesWithBreaks(change.beforeText), linesWithBreaks(change.afterText)];
  const isFormatting = old.length === current.length && old.every((line, at) => hasSameWords(line, current[at] ?? ''));
  if (old.length < 2 || !isFormatting) return [change];
  return old.map((beforeText, at) => ({
    before: { start: change.before.start + at, end: change.before.start + at + 1 },
    after: { start: change.after.start + at, end: change.after.start + at + 1 },
    beforeText,
    afterText: current[at] ?? '',
  }));
}

function hasSameWords(a: string, b: string): boolean {
  const [words, others] = [a.match(/[\p{L}\p{N}]+/gu) ?? [], b.match(/[\p{L}\p{N}]+/gu) ?? []];
  return words.join(' ') === others.join(' ');
}

/** True where two changes of one text touch the same lines; two that stand side by side do not. */
function meets(a: LineRange, b: LineRange): boolean {
  if (a.start === a.end && b.start === b.end) return false;
  return a.start < b.end && b.start < a.end;
}

/** True where both make the same text of the same lines. */
function isSame(a: Hunk, b: Hunk): boolean {
  return a.before.start === b.before.start && a.before.end === b.before.end && a.afterText === b.afterText;
}

/** The change as it stands in the other text, whose own changes before it have moved it. */
function moved(change: Hunk, own: readonly Hunk[]): Hunk {
  let by = 0;
  for (const { before, after } of own) {
    // Where both insert in one place, what the person wrote into the file comes first.
    const isTie = isEmpty(before) && isEmpty(change.before) && before.start === change.before.start;
    if (before.end <= change.before.start && !isTie) by += lengthOf(after) - lengthOf(before);
  }
  const { start, end } = change.before;
  return { ...change, before: { start: start + by, end: end + by } };
}

function isEmpty(range: LineRange): boolean {
  return lengthOf(range) === 0;
}

function lengthOf({ start, end }: LineRange): number {
  return end - start;
}
