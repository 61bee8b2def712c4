/**
 * A place in a text. Line and column count from 1; the offset and the first line's column leave a byte order mark
 * out, as an editor does.
 */
export interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** Finds places in one text; its lines are counted once, at the first question. */
export function positionsIn(text: string): (offset: number) => TextPosition {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text, mark);
    const line = lastAtMost(starts, offset);
    const start = starts[line] ?? mark;
    return { offset: Math.max(0, offset - mark), line: line + 1, column: Math.max(0, offset - start) + 1 };
  };
}

function lineStarts(text: string, first: number): readonly number[] {
  const starts = [first];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lastAtMost(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
