import { readBlocksUpTo } from './markdownBlocks.js';
import type { MarkdownBlocks } from './markdownStructure.js';
import type { Span } from './span.js';

/** A span that was written anew in the text that a body was read from, and by how much the text is longer now. */
export interface BodyChange {
  /** Where the body begins, before and after. */
  readonly from: number;
  readonly span: Span;
  readonly longer: number;
}

/**
 * The blocks of a body after one change, the same as reading all of it gives. It is read from the last line before the
 * change at which no block was open, to the first line behind it at which none is open now and none was. The blocks before
 * and behind that are those of the earlier text, moved.
 */
export function rereadBlocks(text: string, earlier: MarkdownBlocks, change: BodyChange): MarkdownBlocks {
  const { restarts } = earlier;
  const { span, longer } = change;
  // Not a line that begins where the span does: the half of a line break may come before it now.
  const first = restarts[countBelow(restarts, span.start, itself) - 1] ?? change.from;
  let at = countBelow(restarts, span.end, itself);
  let last = Infinity;
  const read = readBlocksUpTo(text, first, (lineStart) => {
    while ((restarts[at] ?? Infinity) + longer < lineStart) at += 1;
    const isEnd = (restarts[at] ?? Infinity) + longer === lineStart;
    if (isEnd) last = lineStart - longer;
    return isEnd;
  });
  return joined(earlier, read, { first, last, longer });
}

/** The blocks before `first`, those that were read, and those from `last` on, which now stand `longer` further down. */
function joined(
  earlier: MarkdownBlocks,
  read: MarkdownBlocks,
  { first, last, longer }: { readonly first: number; readonly last: number; readonly longer: number },
): MarkdownBlocks {
  const join = <T>(
    of: (blocks: MarkdownBlocks) => readonly T[],
    start: (block: T) => number,
    move: (block: T) => T,
  ) => {
    const all = of(earlier);
    const behind = all.slice(countBelow(all, last, start));
    return all.slice(0, countBelow(all, first, start)).concat(of(read), longer === 0 ? behind : behind.map(move));
  };
  const moved = ({ start, end }: Span): Span => ({ start: start + longer, end: end + longer });
  // Field by field: copying whatever a block has takes as long as reading it.
  return {
    headings: join(
      ({ headings }) => headings,
      startOf,
      ({ span, depth, text }) => ({ span: moved(span), depth, text }),
    ),
    fences: join(
      ({ fences }) => fences,
      startOf,
      ({ span, body, closed }) => ({ span: moved(span), body: moved(body), closed }),
    ),
    paragraphs: join(
      ({ paragraphs }) => paragraphs,
      startOf,
      ({ span }) => ({ span: moved(span) }),
    ),
    items: join(
      ({ items }) => items,
      startOf,
      ({ span, marker, indent, level }) => ({ span: moved(span), marker, indent, level }),
    ),
    restarts: join(
      ({ restarts }) => restarts,
      itself,
      (restart) => restart + longer,
    ),
  };
}

/** How many of these begin before an offset. They are in the order they begin. */
function countBelow<T>(all: readonly T[], offset: number, start: (each: T) => number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = all[middle];
    if (each !== undefined && start(each) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function startOf({ span }: { readonly span: Span }): number {
  return span.start;
}

function itself(offset: number): number {
  return offset;
}
