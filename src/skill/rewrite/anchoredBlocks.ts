import type { LineRange } from '../edits/hunks.js';
import { isBlank, lineNumbers } from '../document/lines.js';
import { parseSkill } from '../document/skillDocument.js';
import { rows, type ChangedBlock } from './changedBlocks.js';
import type { RewrittenLines } from './rewrittenText.js';

/** A changed block with as many lines around it as its edit needs, and what of it changes where no other joined it. */
export interface AnchoredBlock extends ChangedBlock {
  readonly core: ChangedBlock | undefined;
}

/**
 * The changed blocks, each with the lines around it that it takes to find it: its text begins and ends with words on both
 * sides, stands only once in the text before and in the one after, and cuts no code fence. Blocks that meet are joined, and
 * so are the nearest ones until there are at most `most`.
 */
export function anchoredBlocks(
  lines: RewrittenLines,
  changes: readonly ChangedBlock[],
  most: number,
): readonly AnchoredBlock[] {
  const texts = { ...lines, fences: [fencesOf(lines.before), fencesOf(lines.after)] as const };
  const done: AnchoredBlock[] = [];
  const open = fewEnough(
    changes.map((change) => ({ ...change, core: change })),
    most,
  );
  for (let block = open.shift(); block !== undefined; block = open.shift()) {
    let tries = 0;
    for (let needs = needsOf(texts, block); needs.length > 0; needs = needsOf(texts, block)) {
      const wider = widened(texts, block, { needs, done, open, lines: linesOnTry((tries += 1)) });
      if (wider === undefined) break;
      block = wider;
    }
    done.push(block);
  }
  return done;
}

type Texts = RewrittenLines & { readonly fences: readonly [readonly LineRange[], readonly LineRange[]] };

const patience = 40; // lines that are taken one by one; a text that says one thing over and over has no end of them

/** How many lines a block grows by, so that few looks at the whole text suffice however long it is. */
function linesOnTry(tries: number): number {
  return tries <= patience ? 1 : 2 ** Math.min(30, tries - patience);
}

type Direction = 'up' | 'down';

/** In which directions the block may grow to get what it lacks, the better one first; none where it lacks nothing. */
function needsOf(texts: Texts, block: ChangedBlock): readonly Direction[] {
  const { before, after } = block;
  const cut = [cutIn(texts.fences[0], before), cutIn(texts.fences[1], after)].find((side) => side !== undefined);
  if (cut !== undefined) return [cut];
  const sides = [rows(texts.before, before), rows(texts.after, after)];
  if (sides.some((side) => side.length === 0)) return ['up', 'down'];
  if (sides.some((side) => isBlank(side[0] ?? ''))) return ['up'];
  if (sides.some((side) => isBlank(side.at(-1) ?? ''))) return ['down'];
  return isUnique(texts, block) ? [] : ['up', 'down'];
}

/** In the text before, and in the one that all other blocks make of it: whatever a person decides, it is found. */
function isUnique({ before, after }: Texts, block: ChangedBlock): boolean {
  const wanted = rows(before, block.before).join('\n');
  const without = [...after.slice(0, block.after.start), wanted, ...after.slice(block.after.end)].join('\n');
  return [before.join('\n'), without].every((text) => !text.includes(wanted, text.indexOf(wanted) + 1));
}

/** Where a fence goes on that the range cuts: neither around it, nor within its code, nor beside it. */
function cutIn(fences: readonly LineRange[], { start, end }: LineRange): Direction | undefined {
  for (const fence of fences) {
    const isBeside = end <= fence.start || fence.end <= start;
    const isWithin = fence.start < start && end < fence.end;
    const isAround = start <= fence.start && fence.end <= end;
    if (!isBeside && !isWithin && !isAround) return fence.start < start ? 'up' : 'down';
  }
  return undefined;
}

interface Growth {
  readonly needs: readonly Direction[];
  /** Those above it, from which the last may join it. */
  readonly done: AnchoredBlock[];
  /** Those below it, from which the first may join it. */
  readonly open: AnchoredBlock[];
  /** How many it takes in at most. */
  readonly lines: number;
}

/** The block with more lines, or joined with the one that stands there; undefined at the edge of its part. */
function widened({ parts }: Texts, block: AnchoredBlock, growth: Growth): AnchoredBlock | undefined {
  const { needs, done, open, lines } = growth;
  const { start, end } = block.before;
  const part = parts.find(({ before }) => before.start <= start && end <= before.end)?.before;
  if (part === undefined) return undefined;
  const direction = needs.find((each) => (each === 'up' ? start > part.start : end < part.end));
  switch (direction) {
    case 'up': {
      const free = start - Math.max(part.start, done.at(-1)?.before.end ?? 0);
      return free === 0 ? joined(done.pop(), block) : withLines(block, { start: -Math.min(free, lines), end: 0 });
    }
    case 'down': {
      const free = Math.min(part.end, open[0]?.before.start ?? part.end) - end;
      return free === 0 ? joined(block, open.shift()) : withLines(block, { start: 0, end: Math.min(free, lines) });
    }
    case undefined:
      return undefined;
  }
}

/** Lines that did not change are as many on both sides. */
function withLines(block: AnchoredBlock, by: LineRange): AnchoredBlock {
  const moved = ({ start, end }: LineRange): LineRange => ({ start: start + by.start, end: end + by.end });
  return { ...block, before: moved(block.before), after: moved(block.after) };
}

/** Two blocks and what stands between them; none of both alone is what changes. */
function joined(one: AnchoredBlock | undefined, other: AnchoredBlock | undefined): AnchoredBlock | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    before: { start: one.before.start, end: other.before.end },
    after: { start: one.after.start, end: other.after.end },
    core: undefined,
  };
}

/** At most so many of them: those with the least between them are joined, of equals the first. */
function fewEnough(blocks: readonly AnchoredBlock[], most: number): AnchoredBlock[] {
  const gaps = blocks.slice(1).map((block, at) => ({ at, lines: block.before.start - (blocks[at]?.before.end ?? 0) }));
  const nearest = gaps.toSorted((a, b) => a.lines - b.lines || a.at - b.at);
  const closed = new Set(nearest.slice(0, Math.max(0, blocks.length - Math.max(1, most))).map(({ at }) => at));
  const left: AnchoredBlock[] = [];
  for (const [at, block] of blocks.entries()) {
    const both = closed.has(at - 1) ? joined(left.pop(), block) : block;
    if (both !== undefined) left.push(both);
  }
  return left;
}

function fencesOf(lines: readonly string[]): readonly LineRange[] {
  const { text, fences } = parseSkill(lines.join('\n'));
  const lineOf = lineNumbers(text);
  return fences.map(({ span }) => {
    const length = text.slice(span.start, span.end).trimEnd().length;
    return { start: lineOf(span.start), end: lineOf(span.start + length) + 1 };
  });
}
