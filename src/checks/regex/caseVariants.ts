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
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  if (lower === upper && lower === text) return [code];
  const odd = Array.from(oddLetters.get(foldOf(text)) ?? '');
  const forms = [text, lower, upper, upper.toLowerCase(), lower.toUpperCase(), ...odd].filter(isOneCharacter);
  return [...new Set(forms.map((form) => form.codePointAt(0) ?? code))];
}

// Letters that are no other letter's upper or lower case, by what they fold to: from the others nothing leads to them.
const oddLetters = new Map<string, string>();
for (const letter of '\u212A\u017F\u212B\u1E9E\u03C2\u03D1\u03F4\u03D0\u03F5\u0345\u1FBE\u03F0\u00B5\u03D6\u03F1\u03D5\u2126')
  oddLetters.set(foldOf(letter), (oddLetters.get(foldOf(letter)) ?? '') + letter);

/** What all cases of a letter share. */
function foldOf(text: string): string {
  const upper = text.toUpperCase();
  return (isOneCharacter(upper) ? upper : text).toLowerCase();
}

function isOneCharacter(form: string): boolean {
  return String.fromCodePoint(form.codePointAt(0) ?? 0).length === form.length;
}
