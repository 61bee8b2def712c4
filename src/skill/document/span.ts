/** A half-open range of UTF-16 offsets into one text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** True where the two share at least one character; an empty span shares none. */
export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end && a.start < a.end && b.start < b.end;
}

/** True where `inner` lies wholly within `outer`, edges included. */
export function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

export function textOf(text: string, span: Span): string {
  return text.slice(span.start, span.end);
}
