import type { Pattern, SetItem } from './pattern.js';

/** Ranges longer than this are not spelled out. */
const longestRange = 2000;

/**
 * The pattern with every letter in all its cases, so that it needs no flag for them: the engine takes milliseconds to
 * close a set of all letters over case. Undefined where only the flag will do.
 */
export function withCaseVariants(pattern: Pattern): Pattern | undefined {
  if ('parts' in pattern) {
    const parts = pattern.parts.map(withCaseVariants);
    return parts.includes(undefined) ? undefined : withParts(pattern, parts);
  }
  if (pattern.kind === 'reference') return undefined;
  if (pattern.kind === 'character') {
    const codes = variantsOf(pattern.code);
    return codes.length === 1 ? pattern : { kind: 'set', negated: false, items: codes.map(single) };
  }
  if (pattern.kind !== 'set') return pattern;
  const items = pattern.items.map(itemVariants);
  return items.includes(undefined) ? undefined : { ...pattern, items: items.flatMap((item) => item ?? []) };
}

function withParts(pattern: Extract<Pattern, { parts: unknown }>, parts: readonly (Pattern | undefined)[]): Pattern {
  const [first = pattern] = parts;
  if (pattern.kind === 'sequence' || pattern.kind === 'alternatives') {
    return { ...pattern, parts: parts.filter((part) => part !== undefined) };
  }
  return { ...pattern, parts: [first] };
}

function itemVariants(item: SetItem): readonly SetItem[] | undefined {
  if (item.kind === 'class') return [item];
  if (item.kind === 'property' || item.to - item.from > longestRange) return undefined;
  const codes = new Set<number>();
  for (let code = item.from; code <= item.to; code += 1) {
    for (const variant of variantsOf(code)) if (variant < item.from || variant > item.to) codes.add(variant);
  }
  return [item, ...[...codes].map(single)];
}

function single(code: number): SetItem {
  return { kind: 'range', from: code, to: code };
}

/** A character and its single-character forms in the other cases. */
function variantsOf(code: number): readonly number[] {
  const text = String.fromCodePoint(code);
  const odd = oddCases.find((group) => group.includes(text));
  if (odd !== undefined) return Array.from(odd, (form) => form.codePointAt(0) ?? code);
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  const forms = [text, lower, upper, upper.toLowerCase(), lower.toUpperCase()];
  const codes = forms.map((form) => form.codePointAt(0) ?? code).filter((_, index) => isOneCharacter(forms[index]));
  return [...new Set(codes)];
}

// Letters with more than two forms, which upper and lower case alone do not connect.
const oddCases = [
  'kK\u212A',
  'sS\u017F',
  '\u00E5\u00C5\u212B',
  '\u00DF\u1E9E',
  '\u03C3\u03A3\u03C2',
  '\u03B8\u0398\u03D1\u03F4',
  '\u03B2\u0392\u03D0',
  '\u03B5\u0395\u03F5',
  '\u03B9\u0399\u0345\u1FBE',
  '\u03BA\u039A\u03F0',
  '\u03BC\u039C\u00B5',
  '\u03C0\u03A0\u03D6',
  '\u03C1\u03A1\u03F1',
  '\u03C6\u03A6\u03D5',
  '\u03C9\u03A9\u2126',
];

function isOneCharacter(form: string | undefined): boolean {
  return form !== undefined && String.fromCodePoint(form.codePointAt(0) ?? 0).length === form.length;
}
