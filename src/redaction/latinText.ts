/**
 * A name that is looked for without regard to case and as Unicode takes the engine twenty times as long as one that is not
 * read as Unicode. In a text with no letters but Latin ones both find the same, and nearly every text is one.
 */
export interface CaselessPattern {
  readonly inAnyText: RegExp;
  readonly inLatinText: RegExp;
}

/** Of a source that is read as Unicode; of its classes it knows `\p{L}` alone, and that outside of brackets. */
export function caseless(source: string): CaselessPattern {
  const latinSource = source.replaceAll(String.raw`\p{L}`, latinLetter);
  if (/\\[pPu]\{|\[[^\]]*\[a-z/.test(latinSource)) throw new Error(`This means something else without u: ${source}`);
  return { inAnyText: new RegExp(source, 'giu'), inLatinText: new RegExp(latinSource, 'gi') };
}

/** Where a pattern stands in a text of which is known whether it {@link isLatin}. */
export function matchesOf(pattern: CaselessPattern | RegExp, text: string, latin: boolean): Iterable<RegExpExecArray> {
  if (pattern instanceof RegExp) return text.matchAll(pattern);
  return text.matchAll(latin ? pattern.inLatinText : pattern.inAnyText);
}

/**
 * Whether a text has no letters but those of Latin-1 and Latin Extended-A, and no other signs than such as have no case
 * and are one unit of UTF-16 each. The long s is not among them: in Unicode it is an s.
 */
export function isLatin(text: string): boolean {
  return latinText.test(text);
}

const letters = String.raw`\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e`;
const latinLetter = `[a-z${letters}]`;
const signs = String.raw`\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27bf`;
const latinText = new RegExp(String.raw`^[\0-\x7f${letters}${signs}]*$`);
