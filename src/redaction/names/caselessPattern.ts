/**
 * A name that is looked for without regard to case and as Unicode takes the engine ten to a hundred times as long as one
 * that is not read as Unicode. In a text with no letters but Latin ones both find the same, and nearly every text is one.
 */
export interface CaselessPattern {
  readonly inAnyText: RegExp;
  readonly inLatinText: RegExp;
}

/** Of a source that is read as Unicode; of its classes it knows `\p{L}` alone, and that outside of brackets. */
export function caseless(source: string): CaselessPattern {
  const latinSource = source.replaceAll(String.raw`\p{L}`, latinLetter);
  if (/\\[pPu]\{|\[[^\]]*\[a-z/.test(latinSource)) throw new Error(`This means something else without u: ${source}`);
  return { inAnyText: new RegExp(source, 'giu'), inLatinText: new RegExp(latinAlternatives(latinSource), 'gi') };
}

/**
 * Without the alternatives that begin with a letter of another alphabet, which no Latin text has: each would be tried at
 * every place. One whose first letter may be missing stays.
 */
function latinAlternatives(source: string): string {
  const kept = alternativesOf(source).filter((each) => isLatin(each.charAt(0)) || /^.[?*{]/.test(each));
  return kept.length === 0 ? '(?!)' : kept.map(latinWithin).join('|');
}

/** The same in an alternative that is one group as a whole. */
function latinWithin(alternative: string): string {
  const inner = alternative.slice('(?:'.length, -1);
  return alternative === `(?:${inner})` && isClosed(inner) ? `(?:${latinAlternatives(inner)})` : alternative;
}

function alternativesOf(source: string): readonly string[] {
  const alternatives = [''];
  let depth = 0;
  for (const sign of signsOf(source)) {
    depth += depthOf(sign);
    if (sign === '|' && depth === 0) alternatives.push('');
    else alternatives.push((alternatives.pop() ?? '') + sign);
  }
  return alternatives;
}

/** Whether every bracket that it closes was opened in it. */
function isClosed(source: string): boolean {
  let depth = 0;
  return signsOf(source).every((sign) => (depth += depthOf(sign)) >= 0);
}

function depthOf(sign: string): number {
  return sign === '(' ? 1 : sign === ')' ? -1 : 0;
}

/** With what is escaped, and a class, as one. */
function signsOf(source: string): readonly string[] {
  return source.match(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/g) ?? [];
}

/** Where a name stands in a text. */
export type FindNames = (pattern: CaselessPattern | RegExp) => Iterable<RegExpExecArray>;

/** Looks for names in one text, and unless it is a long one, for each of them once, however often it is asked for. */
export function findingIn(text: string): FindNames {
  const latin = isLatin(text);
  const found = new Map<CaselessPattern, readonly RegExpExecArray[]>();
  return (pattern) => {
    if (pattern instanceof RegExp) return text.matchAll(pattern);
    const known = found.get(pattern);
    if (known !== undefined) return known;
    const all = text.matchAll(latin ? pattern.inLatinText : pattern.inAnyText);
    if (text.length > longestKept) return all;
    const matches = [...all];
    found.set(pattern, matches);
    return matches;
  };
}

const longestKept = 100_000;

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
