/**
 * A name that is looked for without regard to case and in every alphabet takes the engine twenty times as long as one in
 * ASCII. In a text without letters beyond ASCII both find the same, and nearly every text is one.
 */
export interface CaselessPattern {
  readonly inAnyText: RegExp;
  readonly inPlainText: RegExp;
}

/** Of a source that is read as Unicode; of its classes it knows `\p{L}` alone, and that outside of brackets. */
export function caseless(source: string): CaselessPattern {
  const plainSource = source.replaceAll(String.raw`\p{L}`, '[a-z]');
  if (/\\[pPu]\{|\[[^\]]*\[a-z\]/.test(plainSource)) throw new Error(`This means something else without u: ${source}`);
  return { inAnyText: new RegExp(source, 'giu'), inPlainText: new RegExp(plainSource, 'gi') };
}

/** Where a pattern stands in a text of which is known whether it {@link isPlain}. */
export function matchesOf(pattern: CaselessPattern | RegExp, text: string, plain: boolean): Iterable<RegExpExecArray> {
  if (pattern instanceof RegExp) return text.matchAll(pattern);
  return text.matchAll(plain ? pattern.inPlainText : pattern.inAnyText);
}

/** Whether a text is of ASCII, and of signs that are no letters, have no other case, and are one unit of UTF-16 each. */
export function isPlain(text: string): boolean {
  return plainText.test(text);
}

const plainText =
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  /^[\0-\x7f\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27bf]*$/;
