import { applyEdits, type ApplyLimits } from '../../src/skill/edits/applyEdits.js';
import type { Edit } from '../../src/skill/edits/edit.js';
import { deriveHunks, type Hunk, type LineRange } from '../../src/skill/edits/hunks.js';
import { linesWithBreaks } from '../../src/skill/document/lines.js';
import { advisedSize, largestAllowed } from '../../src/skill/edits/sizeBudget.js';
import { printSkill, type SkillDocument } from '../../src/skill/document/skillDocument.js';

/** A hunk, and which of the edits made it: indices into the list of edits, in order. */
export interface AttributedHunk {
  readonly hunk: Hunk;
  readonly edits: readonly number[];
}

/**
 * The hunks between a document and what the edits make of it, each with the edits that made it. Neighbouring edits share a
 * hunk; an edit that another one undid has none; every hunk has at least one.
 */
export function hunksOfEdits(
  document: SkillDocument,
  edits: readonly Edit[],
  limits: ApplyLimits,
): readonly AttributedHunk[] {
  const before = printSkill(document);
  const sizeBudget = largestAllowed(document.size, limits.sizeBudget ?? advisedSize);
  let current = document;
  let trail = startTrail(before);
  for (const [index, edit] of edits.entries()) {
    const next = applyEdits(current, [edit], { ...limits, sizeBudget }).document;
    trail = followed(trail, deriveHunks(current.text, next.text), index);
    current = next;
  }
  return deriveHunks(before, current.text).map((hunk) => ({ hunk, edits: makersOf(trail, hunk) }));
}

/** Who touched what so far: each line of the current text, and each line of the first text. */
interface Trail {
  readonly current: readonly { readonly origin: number | undefined; readonly edits: ReadonlySet<number> }[];
  readonly removed: ReadonlyMap<number, ReadonlySet<number>>;
}

function startTrail(text: string): Trail {
  const current = linesWithBreaks(text).map((_, origin) => ({ origin, edits: new Set<number>() }));
  return { current, removed: new Map() };
}

function followed(trail: Trail, hunks: readonly Hunk[], edit: number): Trail {
  let current: Trail['current'] = [];
  const removed = new Map(trail.removed);
  let at = 0;
  for (const { before, after } of hunks) {
    const gone = trail.current.slice(before.start, before.end);
    const makers = new Set([...gone.flatMap(({ edits }) => [...edits]), edit]);
    for (const { origin } of gone) {
      if (origin !== undefined) removed.set(origin, new Set([...(removed.get(origin) ?? []), ...makers]));
    }
    const added = Array.from({ length: after.end - after.start }, () => ({ origin: undefined, edits: makers }));
    current = current.concat(trail.current.slice(at, before.start), added);
    at = before.end;
  }
  return { current: current.concat(trail.current.slice(at)), removed };
}

function makersOf(trail: Trail, { before, after }: Hunk): readonly number[] {
  const direct = makersIn(trail, before, after);
  if (direct.size > 0) return inOrder(direct);
  // Equal lines can be aligned in two ways: then the edit stands in a line beside the hunk.
  const reach = trail.current.length + trail.removed.size + 1;
  for (let by = 1; by <= reach; by += 1) {
    const near = makersIn(trail, widened(before, by), widened(after, by));
    if (near.size > 0) return inOrder(near);
  }
  return [];
}

function makersIn(trail: Trail, before: LineRange, after: LineRange): ReadonlySet<number> {
  const makers = new Set(trail.current.slice(after.start, after.end).flatMap(({ edits }) => [...edits]));
  for (let line = before.start; line < before.end; line += 1) {
    for (const edit of trail.removed.get(line) ?? []) makers.add(edit);
  }
  return makers;
}

function widened({ start, end }: LineRange, by: number): LineRange {
  return { start: Math.max(0, start - by), end: end + by };
}

function inOrder(edits: ReadonlySet<number>): readonly number[] {
  return [...edits].toSorted((a, b) => a - b);
}
