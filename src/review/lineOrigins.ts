import { countLines } from '../skill/document/lines.js';
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
