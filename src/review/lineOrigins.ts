import { countLines, linesWithBreaks } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';

/** For each line of `to`, the line of `from` that it is; undefined where it is new. */
export function lineOrigins(from: string, to: string): readonly (number | undefined)[] {
  const origins: (number | undefined)[] = [];
  let next = 0;
  const copyUpTo = (line: number): void => {
    while (next < line) {
      origins.push(next);
      next += 1;
    }
  };
  for (const { before, after } of alignedHunks(from, to)) {
    copyUpTo(before.start);
    for (let line = after.start; line < after.end; line += 1) origins.push(undefined);
    next = before.end;
  }
  copyUpTo(countLines(from));
  return origins;
}

/**
 * For each line of `to` that took the place of one of `from` and still says half of it, that line: what has nothing in common
 * with it was not written into it. As many lines as before took the places in their order; otherwise each took that of
 * the line that it is most like.
 */
export function replacedLines(from: string, to: string): ReadonlyMap<number, number> {
  const replaced = new Map<number, number>();
  for (const { before, after, beforeText, afterText } of alignedHunks(from, to)) {
    const [old, current] = [linesWithBreaks(beforeText), linesWithBreaks(afterText)];
    if (old.length === 0) continue;
    let earliest = 0; // lines keep their order
    for (const [at, line] of current.entries()) {
      earliest = old.length === current.length ? at : mostLike(line, old, earliest);
      if (isAlike(line, old[earliest] ?? '')) replaced.set(after.start + at, before.start + earliest);
    }
  }
  return replaced;
}

function mostLike(line: string, lines: readonly string[], from: number): number {
  let [best, most] = [from, -1];
  for (const [at, each] of lines.entries()) {
    const likeness = at < from ? -1 : sharedEnds(line, each);
    if (likeness > most) [best, most] = [at, likeness];
  }
  return best;
}

function isAlike(a: string, b: string): boolean {
  return 2 * sharedEnds(a.trim(), b.trim()) >= Math.min(a.trim().length, b.trim().length);
}

/** How many characters two lines have in common at their beginning and at their end. */
function sharedEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return start + end;
}
