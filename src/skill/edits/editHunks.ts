import { alignedHunks } from './alignedHunks.js';
import { deriveHunksBetween, type Hunk, type LineRange } from './hunks.js';
import { countLines } from '../document/lines.js';

/** Lines that one edit took out of the text before all edits, and lines that it put into the text after all of them. */
export interface EditHunk {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** What one edit made of the text that those before it had left. */
export interface EditStep {
  /** The index of the edit. */
  readonly edit: number;
  readonly before: string;
  readonly after: string;
}

/**
 * The hunks that each edit made between the first text and the last, by the index of the edit. Each line of each change
 * belongs to at least one edit; an edit that another one took back has none.
 */
export function hunksByEdit(
  first: string,
  steps: readonly EditStep[],
  edits: number,
): readonly (readonly EditHunk[])[] {
  const start = untouched(first);
  const makers = makersByLine(steps.reduce(continued, start));
  const found = Array.from({ length: edits }, (): EditHunk[] => []);
  for (const hunk of alignedHunks(first, steps.at(-1)?.after ?? first)) {
    const owned = ownedLines(makers, hunk);
    for (const edit of new Set([...owned.before, ...owned.after].flat())) {
      found[edit]?.push(...editHunksIn(hunk, owned, edit));
    }
  }
  return found;
}

/**
 * The same line by line as the edits made them, whatever a diff of the two texts would show: each edit has exactly its own
 * lines. Those of another between them part its change in pieces.
 */
export function piecesByEdit(
  first: string,
  steps: readonly EditStep[],
  edits: number,
): readonly (readonly EditHunk[])[] {
  const start = untouched(first);
  const found = Array.from({ length: edits }, (): EditHunk[] => []);
  const open = new Map<number, EditHunk>();
  let [old, current] = [0, 0];
  const close = (still: readonly number[]): void => {
    for (const [edit, piece] of open) {
      if (still.includes(edit)) continue;
      found[edit]?.push(piece);
      open.delete(edit);
    }
  };
  for (const entry of steps.reduce(continued, start)) {
    const makers = makersOf(entry);
    close(makers);
    const [isGone, isAdded] = [entry.kind === 'gone', entry.kind === 'added'];
    for (const edit of makers) {
      const { before, after } = open.get(edit) ?? { before: emptyAt(old), after: emptyAt(current) };
      const by = { before: isGone ? entry.count : 0, after: isAdded ? entry.count : 0 };
      open.set(edit, { before: longer(before, by.before), after: longer(after, by.after) });
    }
    old += isAdded ? 0 : entry.count;
    current += isGone ? 0 : entry.count;
  }
  close([]);
  return found;
}

function emptyAt(line: number): LineRange {
  return { start: line, end: line };
}

function longer({ start, end }: LineRange, by: number): LineRange {
  return { start, end: end + by };
}

/** Who made what so far: every line of the first text and every line of the current one, in one order. */
type EditTrail = readonly TrailLines[];

/** Lines of the first text (`kept`, `gone`) or lines that edits put in (`added`), with the edits that did it. */
type TrailLines = { readonly count: number } & (
  | { readonly kind: 'kept' }
  | { readonly kind: 'gone'; readonly makers: readonly number[] }
  | { readonly kind: 'added'; readonly makers: readonly number[] }
);

function untouched(text: string): EditTrail {
  return [{ kind: 'kept', count: countLines(text) }];
}

/** After one more edit. Its new lines belong to the edits whose lines it rewrote, too. */
function continued(trail: EditTrail, { edit, before: old, after: text }: EditStep): EditTrail {
  const next: TrailLines[] = [];
  const place = { at: 0, used: 0, line: 0 };
  /** The lines that come next, up to this line of the current text; lines that are gone take no place in it. */
  const takeUpTo = (end: number): TrailLines | undefined => {
    const lines = trail[place.at];
    if (lines === undefined) return undefined;
    const count = lines.kind === 'gone' ? lines.count : Math.min(lines.count - place.used, end - place.line);
    if (lines.kind !== 'gone') place.line += count;
    place.used += count;
    if (place.used >= lines.count) [place.at, place.used] = [place.at + 1, 0];
    return { ...lines, count };
  };
  const copyUpTo = (end: number): void => {
    while (place.line < end || trail[place.at]?.kind === 'gone') {
      const lines = takeUpTo(end);
      if (lines === undefined) return;
      next.push(lines);
    }
  };
  for (const { before, after } of deriveHunksBetween(old, text)) {
    copyUpTo(before.start);
    const makers = new Set<number>();
    while (place.line < before.end) {
      const lines = takeUpTo(before.end);
      if (lines === undefined) break;
      if (lines.kind === 'added') for (const maker of lines.makers) makers.add(maker);
      else next.push(lines.kind === 'kept' ? { kind: 'gone', makers: [edit], count: lines.count } : lines);
    }
    const count = after.end - after.start;
    if (count > 0) next.push({ kind: 'added', makers: [...makers.add(edit)], count });
  }
  copyUpTo(Number.POSITIVE_INFINITY);
  return next;
}

type Makers = readonly (readonly number[])[];

/** By line of the first text, and by line of the last. */
interface MakersByLine {
  readonly before: Makers;
  readonly after: Makers;
}

function makersByLine(trail: EditTrail): MakersByLine {
  return {
    before: trail.filter(({ kind }) => kind !== 'added').flatMap(makersOfLines),
    after: trail.filter(({ kind }) => kind !== 'gone').flatMap(makersOfLines),
  };
}

function makersOf(lines: TrailLines): readonly number[] {
  return lines.kind === 'kept' ? [] : lines.makers;
}

function makersOfLines(lines: TrailLines): Makers {
  const makers = makersOf(lines);
  return Array.from({ length: lines.count }, () => makers);
}

/** The makers of the lines of one change. Equal lines can be aligned in two ways: what nobody claims goes with its neighbours. */
function ownedLines({ before, after }: MakersByLine, hunk: Hunk): MakersByLine {
  const reach = before.length + after.length;
  for (let by = 0; by <= reach; by += 1) {
    const [gone, added] = [near(before, hunk.before, by), near(after, hunk.after, by)];
    const all = [...new Set([...gone, ...added].flat())].sort((a, b) => a - b);
    if (all.length === 0) continue;
    if (by === 0) return { before: filled(gone, all), after: filled(added, all) };
    return { before: rangeOf(hunk.before).map(() => all), after: rangeOf(hunk.after).map(() => all) };
  }
  return { before: [], after: [] };
}

function near(makers: Makers, { start, end }: LineRange, by: number): Makers {
  return makers.slice(Math.max(0, start - by), end + by);
}

/** Lines without a maker get that of the line above them, or else of the first below that has one. */
function filled(makers: Makers, all: readonly number[]): Makers {
  let last = makers.find((each) => each.length > 0) ?? all;
  return makers.map((each) => (last = each.length > 0 ? each : last));
}

function rangeOf({ start, end }: LineRange): readonly number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** What one edit has of a change; several pieces where another edit's lines stand between its own. */
function editHunksIn(hunk: Hunk, owned: MakersByLine, edit: number): readonly EditHunk[] {
  const gone = runsOf(owned.before, edit);
  const added = runsOf(owned.after, edit);
  return Array.from({ length: Math.max(gone.length, added.length) }, (_, index) => {
    const [before, after] = [gone[index], added[index]];
    return {
      before: shifted(before ?? emptyBeside(owned.before, owned.after.slice(0, after?.start)), hunk.before.start),
      after: shifted(after ?? emptyBeside(owned.after, owned.before.slice(0, before?.start)), hunk.after.start),
    };
  });
}

function runsOf(makers: Makers, edit: number): readonly LineRange[] {
  const runs: LineRange[] = [];
  for (const [line, each] of makers.entries()) {
    if (!each.includes(edit)) continue;
    const last = runs.at(-1);
    if (last?.end === line) runs[runs.length - 1] = { start: last.start, end: line + 1 };
    else runs.push({ start: line, end: line + 1 });
  }
  return runs;
}

/** Where an edit has no lines on one side: behind the lines of those that stand above it on the other. */
function emptyBeside(makers: Makers, above: Makers): LineRange {
  const others = new Set(above.flat());
  const at = makers.findLastIndex((each) => each.some((maker) => others.has(maker))) + 1;
  return { start: at, end: at };
}

function shifted({ start, end }: LineRange, by: number): LineRange {
  return { start: start + by, end: end + by };
}
