/** Where a secret lies in a text (`end` exclusive), and what kind it is: lower case words joined by hyphens. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Finds secrets of one family. Never overlaps itself on purpose; overlaps with other finders are merged. */
export type Finder = (text: string) => readonly Span[];

/** Spans that are found in pieces: it stops after each, so that whoever drives it can let others have their turn. */
export type Search = Generator<undefined, readonly Span[], undefined>;

/**
 * One span for each stretch of overlapping ones, in order. The kind is that of the longest: a token inside a connection
 * string is named for the connection string.
 */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else merged[merged.length - 1] = union(last, span);
  }
  return merged;
}

function union(first: Span, second: Span): Span {
  const longer = second.end - second.start > first.end - first.start ? second : first;
  return { start: first.start, end: Math.max(first.end, second.end), kind: longer.kind };
}

/** The spans that leave every one of `kept` whole. */
export function outside(spans: readonly Span[], kept: readonly Span[]): readonly Span[] {
  return spans.filter((span) => kept.every((other) => span.end <= other.start || span.start >= other.end));
}

/** One shape that gives a secret away. Where the pattern has a group `secret`, only that part is the secret. */
export interface SecretShape {
  readonly kind: string;
  readonly pattern: RegExp;
  /** A second look, where the shape alone would catch too much. */
  readonly accept?: (secret: string) => boolean;
}
