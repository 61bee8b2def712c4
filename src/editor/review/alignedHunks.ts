import { deriveHunks, type Hunk, type LineRange } from '../../skill/edits/hunks.js';
import { isBlank, linesWithBreaks } from '../../skill/document/lines.js';
import { longestRising } from './longestRising.js';

/**
 * The changes between two texts, aligned at the lines that stand exactly once in both. Blank lines and common bullets do
 * not pull strangers together, so that each change can be taken by itself and still makes sense.
 */
export function alignedHunks(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const [old, current] = [linesWithBreaks(before), linesWithBreaks(after)];
  const hunks: Hunk[] = [];
  let [fromOld, fromNew] = [0, 0];
  for (const [atOld, atNew] of [...commonLandmarks(old, current), [old.length, current.length] as const]) {
    const [a, b] = [old.slice(fromOld, atOld).join(''), current.slice(fromNew, atNew).join('')];
    for (const hunk of deriveHunks(a, b)) hunks.push(moved(hunk, fromOld, fromNew));
    [fromOld, fromNew] = [atOld, atNew];
  }
  return hunks.map((hunk, index) => settled(hunk, { old, current, next: hunks[index + 1] }));
}

/** Pairs of equal lines that are unique on both sides, as many as keep their order. */
function commonLandmarks(old: readonly string[], current: readonly string[]): readonly (readonly [number, number])[] {
  const places = uniquePlaces(current);
  const pairs = [...uniquePlaces(old)].flatMap(([line, at]) => {
    const there = places.get(line);
    return there === undefined || isBlank(line) ? [] : [[at, there] as const];
  });
  return longestRising(pairs.sort(([a], [b]) => a - b));
}

function uniquePlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

interface BothSides {
  readonly old: readonly string[];
  readonly current: readonly string[];
  readonly next: Hunk | undefined;
}

/** A block that was added or removed begins with its words, not with the blank line above them, where both are true. */
function settled(hunk: Hunk, { old, current, next }: BothSides): Hunk {
  if (hunk.beforeText === '') {
    const by = slide(current, hunk.after, next?.after.start ?? current.length);
    const after = shifted(hunk.after, by);
    return { ...hunk, before: shifted(hunk.before, by), after, afterText: textOf(current, after) };
  }
  if (hunk.afterText === '') {
    const by = slide(old, hunk.before, next?.before.start ?? old.length);
    const before = shifted(hunk.before, by);
    return { ...hunk, before, after: shifted(hunk.after, by), beforeText: textOf(old, before) };
  }
  return hunk;
}

/** How many lines down the block can stand as well, to begin with words. */
function slide(lines: readonly string[], { start, end }: LineRange, limit: number): number {
  let by = 0;
  while (end + by < limit && isBlank(lines[start + by] ?? 'x') && lines[start + by] === lines[end + by]) by += 1;
  return isBlank(lines[start + by] ?? '') ? 0 : by;
}

function textOf(lines: readonly string[], { start, end }: LineRange): string {
  return lines.slice(start, end).join('');
}

function moved(hunk: Hunk, oldBy: number, newBy: number): Hunk {
  return { ...hunk, before: shifted(hunk.before, oldBy), after: shifted(hunk.after, newBy) };
}

function shifted({ start, end }: LineRange, by: number): LineRange {
  return { start: start + by, end: end + by };
}
