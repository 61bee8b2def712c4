import { diffArrays } from 'diff';
import { UserError } from '../../errors.js';
import { countLines, linesWithBreaks, readEol } from '../document/lines.js';

/** Lines `start` up to, not including, `end`; the first line is 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** One change between two texts, in whole lines with their line breaks. */
export interface Hunk {
  readonly before: LineRange;
  readonly after: LineRange;
  readonly beforeText: string;
  readonly afterText: string;
}

/** Lines added and removed; the time goes by its square, and a minimal diff beyond it helps nobody. */
export const farthestDiff = 1000;

/**
 * The changes that lead from one text to the other, in order, with at least one common line between any two. Texts that
 * have almost nothing in common, more than `farthest` lines apart, are one hunk.
 */
export function deriveHunks(before: string, after: string, farthest = farthestDiff): readonly Hunk[] {
  if (before === after) return [];
  const [old, current] = [linesWithBreaks(before), linesWithBreaks(after)];
  const changes = diffArrays(old, current, { maxEditLength: farthest });
  if (changes === undefined) return [wholeHunk(old, current)];
  const hunks: Hunk[] = [];
  let [atOld, atNew] = [0, 0];
  let open: Hunk | undefined;
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      if (open !== undefined) hunks.push(open);
      open = undefined;
      [atOld, atNew] = [atOld + value.length, atNew + value.length];
      continue;
    }
    open = extended(open ?? emptyHunk(atOld, atNew), value, removed);
    [atOld, atNew] = [open.before.end, open.after.end];
  }
  return open === undefined ? hunks : [...hunks, open];
}

/**
 * The same for two texts that one small change lies between: only the lines from the first that differs to the last are
 * looked at. Where equal lines could be matched in several ways the ones at the ends count as kept.
 */
export function deriveHunksBetween(before: string, after: string): readonly Hunk[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const inner = deriveHunks(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const lines = countLines(before.slice(0, start));
  return inner.map((hunk) => ({ ...hunk, before: shifted(hunk.before, lines), after: shifted(hunk.after, lines) }));
}

function shifted({ start, end }: LineRange, by: number): LineRange {
  return { start: start + by, end: end + by };
}

const chunk = 1024; // characters that are compared at once

/** How many characters of whole lines both texts begin with. */
function commonStart(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before.slice(at, at + chunk) === after.slice(at, at + chunk)) at += chunk;
  const most = Math.min(before.length, after.length);
  at = Math.min(at, most);
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  // A line break of two characters is never parted.
  return at === 0 ? 0 : before.lastIndexOf('\n', at - 1) + 1;
}

/** How many characters of whole lines both texts end with, of those from `start` on. */
function commonEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  const from = (text: string, count: number): string => text.slice(-count - chunk, count === 0 ? undefined : -count);
  let count = 0;
  while (count + chunk <= most && from(before, count) === from(after, count)) count += chunk;
  const charAt = (text: string): number => text.charCodeAt(text.length - count - 1);
  while (count < most && charAt(before) === charAt(after)) count += 1;
  // The first line of them may be the end of a longer one.
  const line = before.indexOf('\n', before.length - count);
  return count === 0 || line < 0 ? 0 : before.length - line - 1;
}

/**
 * `before` with some of the hunks that were derived from it, in whatever order they come. Throws where a hunk was made from
 * another text or two of them change the same lines.
 */
export function applyHunks(before: string, hunks: readonly Hunk[]): string {
  const lines = linesWithBreaks(before);
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks.toSorted((a, b) => a.before.start - b.before.start || a.before.end - b.before.end)) {
    const { start, end } = hunk.before;
    if (start < at || lines.slice(start, end).join('') !== hunk.beforeText) {
      throw new UserError(
        'skill-changed',
        'The text has changed since these edits were proposed.',
        'Optimize the skill again, or restore the text that the proposal was made from.',
      );
    }
    parts.push(lines.slice(at, start).join(''), hunk.afterText);
    at = end;
  }
  return joined([...parts, lines.slice(at).join('')], before);
}

/** Of hunks at the end of a text without a last line break some may be left out: then the line before is not the last. */
function joined(parts: readonly string[], before: string): string {
  return parts
    .filter((part) => part !== '')
    .reduce((text, part) => (text === '' || /[\r\n]$/u.test(text) ? text : text + readEol(before).eol) + part, '');
}

/**
 * Where lines of the first text stand in the second, by the changes between the two. Lines that were rewritten stand where
 * the new ones do; what was added beside the range stays outside.
 */
export function movedRange({ start, end }: LineRange, changes: readonly Hunk[]): LineRange {
  const from = movedLine(start, changes, start < end);
  return { start: from, end: start < end ? Math.max(from, movedLine(end, changes, false)) : from };
}

function movedLine(line: number, changes: readonly Hunk[], isAfterAdded: boolean): number {
  let by = 0;
  for (const { before, after } of changes) {
    const isAdded = before.start === before.end;
    if (before.start > line || (before.start === line && !(isAdded && isAfterAdded))) break;
    if (before.end > line) return Math.min(after.end, after.start + line - before.start);
    by = after.end - before.end;
  }
  return line + by;
}

/** The parts of the range that stand unchanged in the second text, and where. */
export function keptRanges({ start, end }: LineRange, changes: readonly Hunk[]): readonly LineRange[] {
  const cut = changes.filter(({ before }) => before.end > start && before.start < end);
  const edges = [start, ...cut.flatMap(({ before }) => [before.start, before.end]), end];
  return edges.flatMap((from, index) => {
    const to = edges[index + 1] ?? from;
    if (index % 2 === 1 || from >= to) return [];
    return [movedRange({ start: from, end: to }, changes)];
  });
}

function emptyHunk(old: number, current: number): Hunk {
  return {
    before: { start: old, end: old },
    after: { start: current, end: current },
    beforeText: '',
    afterText: '',
  };
}

function extended(hunk: Hunk, lines: readonly string[], isRemoved: boolean): Hunk {
  const longer = (range: LineRange): LineRange => ({ start: range.start, end: range.end + lines.length });
  return isRemoved
    ? { ...hunk, before: longer(hunk.before), beforeText: hunk.beforeText + lines.join('') }
    : { ...hunk, after: longer(hunk.after), afterText: hunk.afterText + lines.join('') };
}

/** Everything between the common first and last lines. */
function wholeHunk(old: readonly string[], current: readonly string[]): Hunk {
  const shorter = Math.min(old.length, current.length);
  let first = 0;
  while (first < shorter && old[first] === current[first]) first += 1;
  let last = 0;
  while (last < shorter - first && old.at(-1 - last) === current.at(-1 - last)) last += 1;
  const before = { start: first, end: old.length - last };
  const after = { start: first, end: current.length - last };
  return {
    before,
    after,
    beforeText: old.slice(before.start, before.end).join(''),
    afterText: current.slice(after.start, after.end).join(''),
  };
}
