import { alignedHunks } from '../edits/alignedHunks.js';
import type { LineRange } from '../edits/hunks.js';
import { readListMarker } from '../document/blockStarts.js';
import { isBlank } from '../document/lines.js';
import type { FreePart, RewrittenLines } from './rewrittenText.js';

/** Lines of the text before that others stand in the place of afterwards; either range may be empty. */
export interface ChangedBlock {
  readonly before: LineRange;
  readonly after: LineRange;
}

/**
 * What changed between the two texts, in the order of the lines and in blocks that a person can decide on one by one:
 * lines that stand in both part them, and so does the structure where both sides have as many headings, paragraphs and
 * list items. Nothing reaches over the edge of a free part.
 */
export function changedBlocks(lines: RewrittenLines): readonly ChangedBlock[] {
  const changes = lines.parts.flatMap((part) => changesIn(lines, part)).flatMap((change) => splitBlock(lines, change));
  const bare = changes.map((change) => withoutEqualEnds(lines, change));
  return bare.filter(({ before, after }) => before.start < before.end || after.start < after.end);
}

function changesIn({ before, after }: RewrittenLines, part: FreePart): readonly ChangedBlock[] {
  return alignedHunks(textIn(before, part.before), textIn(after, part.after)).map((hunk) => ({
    before: moved(hunk.before, part.before.start),
    after: moved(hunk.after, part.after.start),
  }));
}

function textIn(lines: readonly string[], range: LineRange): string {
  return rows(lines, range)
    .map((line) => `${line}\n`)
    .join('');
}

/** The same change in as many parts as its structure tells apart. One that holds the edge of a code fence stays whole. */
function splitBlock(lines: RewrittenLines, change: ChangedBlock): readonly ChangedBlock[] {
  const sides = [rows(lines.before, change.before), rows(lines.after, change.after)] as const;
  if (sides.some((side) => side.length === 0 || side.some((line) => /^\s*(?:`{3}|~{3})/.test(line)))) return [change];
  for (const starts of [isHeading, startsBlock]) {
    const [old, current] = sides.map((side) => pieces(side, starts));
    if (old === undefined || current === undefined || old.length < 2 || old.length !== current.length) continue;
    const paired = old.map((range, at) => ({
      before: moved(range, change.before.start),
      after: moved(current[at] ?? range, change.after.start),
    }));
    return starts === isHeading ? paired.flatMap((each) => splitBlock(lines, each)) : paired;
  }
  return [change];
}

/** Consecutive ranges, each from a line that starts one to the line before the next. */
function pieces(side: readonly string[], starts: typeof startsBlock): readonly LineRange[] {
  const edges = side.flatMap((line, at) => (at === 0 || starts(line, side[at - 1] ?? '') ? [at] : []));
  return edges.map((start, at) => ({ start, end: edges[at + 1] ?? side.length }));
}

function isHeading(line: string): boolean {
  return /^ {0,3}#{1,6}(?:\s|$)/.test(line);
}

function startsBlock(line: string, above: string): boolean {
  if (isBlank(line)) return false;
  return isBlank(above) || isHeading(line) || (/^\S/.test(line) && readListMarker(line) !== undefined);
}

function withoutEqualEnds({ before: old, after: current }: RewrittenLines, change: ChangedBlock): ChangedBlock {
  let { before, after } = change;
  const isShared = (at: number, there: number): boolean =>
    before.start < before.end && after.start < after.end && old[at] === current[there];
  while (isShared(before.start, after.start)) {
    before = { ...before, start: before.start + 1 };
    after = { ...after, start: after.start + 1 };
  }
  while (isShared(before.end - 1, after.end - 1)) {
    before = { ...before, end: before.end - 1 };
    after = { ...after, end: after.end - 1 };
  }
  return { before, after };
}

export function rows(lines: readonly string[], { start, end }: LineRange): readonly string[] {
  return lines.slice(start, end);
}

function moved({ start, end }: LineRange, by: number): LineRange {
  return { start: start + by, end: end + by };
}
