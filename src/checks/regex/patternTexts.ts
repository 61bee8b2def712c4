import type { Pattern } from './pattern.js';
import { isPlain, type Reading } from './patternUnits.js';

const mostTexts = 12; // a list that a person can still read
const longestText = 80;
const mostRepeats = 3;
const mostOfASet = 6;

/** The texts that atoms from here on allow, as far as these are few. */
export function literalFrom(
  atoms: readonly Pattern[],
  from: number,
  reading: Reading,
): { readonly texts: readonly string[] | undefined; readonly next: number } {
  let texts: readonly string[] | undefined;
  let next = from;
  for (const atom of atoms.slice(from)) {
    const more = textsOf(atom, reading);
    const longer = more === undefined ? undefined : distinct(products([texts ?? [''], more]), reading);
    if (longer === undefined || longer.length > mostTexts) break;
    texts = longer;
    next += 1;
  }
  return { texts, next };
}

/** Every text that a pattern allows; undefined where they are many. */
function textsOf(pattern: Pattern, reading: Reading): readonly string[] | undefined {
  switch (pattern.kind) {
    case 'character':
      return plainTexts([String.fromCodePoint(pattern.code)]);
    case 'set':
      return pattern.negated ? undefined : textsOfSet(pattern);
    case 'group':
      return textsOf(pattern.parts[0], reading);
    case 'sequence':
    case 'alternatives':
    case 'repeat':
      return textsOfParts(pattern, reading);
    case 'any':
    case 'look':
    case 'place':
    case 'reference':
      return undefined;
  }
}

function textsOfSet({ items }: Extract<Pattern, { kind: 'set' }>): readonly string[] | undefined {
  const codes = items.flatMap((item) => {
    if (item.kind !== 'range' || item.to - item.from >= mostOfASet) return [undefined];
    return Array.from({ length: item.to - item.from + 1 }, (_, index) => item.from + index);
  });
  if (codes.length > mostOfASet) return undefined;
  return plainTexts(codes.map((code) => (code === undefined ? '\n' : String.fromCodePoint(code))));
}

type CompoundPattern = Extract<Pattern, { kind: 'sequence' | 'alternatives' | 'repeat' }>;

function textsOfParts(pattern: CompoundPattern, reading: Reading): readonly string[] | undefined {
  if (pattern.kind === 'repeat' && pattern.most > mostRepeats) return undefined;
  const parts = pattern.parts.map((part) => textsOf(part, reading));
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  switch (pattern.kind) {
    case 'sequence':
      return fewOf(products(known), reading);
    case 'alternatives':
      return fewOf(known.flat(), reading);
    case 'repeat': {
      const [body = ['']] = known;
      const counts = Array.from({ length: pattern.most - pattern.least + 1 }, (_, more) => pattern.most - more);
      return fewOf(
        counts.flatMap((count) => products(Array.from({ length: count }, () => body))),
        reading,
      );
    }
  }
}

function fewOf(texts: readonly string[], reading: Reading): readonly string[] | undefined {
  const few = distinct(texts, reading);
  return few.length > mostTexts || few.some((text) => text.length > longestText) ? undefined : few;
}

/** Every way to take a text of each list, in order; stops early where there are far too many. */
function products(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce<readonly string[]>(
    (all, list) => (all.length > mostTexts ? all : all.flatMap((text) => list.map((more) => text + more))),
    [''],
  );
}

function distinct(texts: readonly string[], { anyCase }: Reading): readonly string[] {
  const first = new Map<string, string>();
  for (const text of texts) {
    const key = anyCase ? text.toLowerCase() : text;
    if (!first.has(key)) first.set(key, text);
  }
  return [...first.values()];
}

function plainTexts(texts: readonly string[]): readonly string[] | undefined {
  return texts.every(isPlain) ? texts : undefined;
}
