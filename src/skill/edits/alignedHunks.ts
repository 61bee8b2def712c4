import { deriveHunks, farthestDiff, type Hunk, type LineRange } from './hunks.js';
import { isBlank, linesWithBreaks } from '../document/lines.js';

/**
 * The changes between two texts, aligned at the lines that stand exactly once in both. Blank lines and common bullets do
 * not pull strangers together, so that each change can be taken by itself and still makes sense.
 */
export function alignedHunks(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const [old, current] = [linesWithBreaks(before), linesWithBreaks(after)];
  const hunks: Hunk[] = [];
  let [fromOld, fromNew] = [0, 0];
  // The parts share the time that two texts without a common line may take.
  let left = farthestDiff ** 2;
  for (const [atOld, atNew] of [...commonLandmarks(old, current), [old.length, current.length] as const]) {
    const [a, b] = [old.slice(fromOld, atOld).join(''), current.slice(fromNew, atNew).join('')];
    const farthest = Math.max(nearDiff, Math.floor(Math.sqrt(left)));
    const changes = deriveHunks(a, b, farthest);
    for (const hunk of changes) hunks.push(moved(hunk, fromOld, fromNew));
    left = Math.max(0, left - Math.min(farthest, linesIn(changes)) ** 2);
    [fromOld, fromNew] = [atOld, atNew];
  }
  return hunks.map((hunk, index) => settled(hunk, { old, current, next: hunks[index + 1] }));
}

const nearDiff = 20; // lines added and removed: what takes no time

function linesIn(changes: readonly Hunk[]): number {
  return changes.reduce((sum, { before, after }) => sum + before.end - before.start + after.end - after.start, 0);
}

/** Pairs of equal lines that are unique on both sides, as many as keep their order. */
function commonLandmarks(old: readonly string[], current: readonly string[]): readonly Pair[] {
  const places = uniquePlaces(current);
  const pairs = [...uniquePlaces(old)].flatMap(([line, at]) => {
    const there = places.get(line);
    return there === undefined || isBlank(line) ? [] : [[at, there] as const];
  });
  return longestIncreasingSubsequence(pairs.sort(([a], [b]) => a - b));
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

type Pair = readonly [number, number];

/** A pair on its pile, and the place in the pile to the left of the pair before it. */
interface Card {
  readonly pair: Pair;
  readonly left: number;
}

/** Of pairs whose first numbers rise, as many as possible whose second numbers rise too (patience sorting). */
function longestIncreasingSubsequence(pairs: readonly Pair[]): readonly Pair[] {
  const piles: Card[][] = [];
  for (const pair of pairs) {
    const at = pileFor(piles, pair[1]);
    const card = { pair, left: (piles[at - 1]?.length ?? 0) - 1 };
    const pile = piles[at];
    if (pile === undefined) piles.push([card]);
    else pile.push(card);
  }
  const chosen: Pair[] = [];
  let at = (piles.at(-1)?.length ?? 0) - 1;
  for (const pile of piles.toReversed()) {
    const card = pile[at];
    if (card === undefined) break;
    chosen.push(card.pair);
    at = card.left;
  }
  return chosen.toReversed();
}

/** The first pile whose top is not below the number; tops rise from left to right. */
function pileFor(piles: readonly (readonly Card[])[], number: number): number {
  let [low, high] = [0, piles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const top = piles[middle]?.at(-1)?.pair[1] ?? number;
    if (top < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
