/** A regular expression as Python and JavaScript both understand it. */
export type Pattern = CompositePattern | LeafPattern;

export type CompositePattern =
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'alternatives'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'group'; readonly number: number | undefined; readonly parts: readonly [Pattern] }
  | {
      readonly kind: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly parts: readonly [Pattern];
    }
  | {
      readonly kind: 'repeat';
      readonly least: number;
      readonly most: number;
      readonly lazy: boolean;
      readonly parts: readonly [Pattern];
    };

export type LeafPattern =
  | { readonly kind: 'character'; readonly code: number }
  | { readonly kind: 'any' }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'set'; readonly negated: boolean; readonly items: readonly SetItem[] }
  | { readonly kind: 'reference'; readonly to: number };

export type Place = 'start' | 'end' | 'textStart' | 'textEnd' | 'wordEdge' | 'notWordEdge';

export type SetItem =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'class'; readonly name: ClassName }
  | { readonly kind: 'property'; readonly text: string };

export type ClassName = 'd' | 'D' | 'w' | 'W' | 's' | 'S';

/** An expression that is no expression, or not the same one in both languages. */
export class PatternError extends Error {
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(what);
    this.name = 'PatternError';
    this.offset = offset;
  }
}

/** The number of characters a pattern matches, or undefined where it varies. */
export function widthOf(pattern: Pattern): number | undefined {
  if (!('parts' in pattern)) return leafWidths[pattern.kind];
  if (pattern.kind === 'look') return 0;
  const widths = pattern.parts.map(widthOf);
  if (widths.includes(undefined)) return undefined;
  const sum = widths.reduce<number>((total, width) => total + (width ?? 0), 0);
  if (pattern.kind === 'repeat') return pattern.least === pattern.most ? sum * pattern.least : undefined;
  if (pattern.kind !== 'alternatives') return sum;
  return new Set(widths).size === 1 ? widths[0] : undefined;
}

const leafWidths = { character: 1, any: 1, set: 1, place: 0, reference: undefined } as const;

/** The groups that may take no part in a match: a reference to one of them means two things. */
export function optionalGroups(pattern: Pattern, optional = false): readonly number[] {
  if (!('parts' in pattern)) return [];
  const own = optional && pattern.kind === 'group' && pattern.number !== undefined ? [pattern.number] : [];
  const inner = optional || makesOptional(pattern);
  return [...own, ...pattern.parts.flatMap((part) => optionalGroups(part, inner))];
}

/** The least number of characters that a match takes. */
export function leastWidthOf(pattern: Pattern): number {
  if (!('parts' in pattern)) return leafWidths[pattern.kind] ?? 0;
  if (pattern.kind === 'look') return 0;
  const widths = pattern.parts.map(leastWidthOf);
  if (pattern.kind === 'alternatives') return Math.min(...widths);
  const sum = widths.reduce((total, width) => total + width, 0);
  return pattern.kind === 'repeat' ? sum * pattern.least : sum;
}

/** In how many ways at most an attempt to match at one place can go: the bound of its backtracking. */
function waysOf(pattern: Pattern): number {
  if (!('parts' in pattern)) return 1;
  const ways = pattern.parts.map(waysOf);
  if (pattern.kind === 'alternatives') return ways.reduce((sum, one) => sum + one, 0);
  const product = ways.reduce((all, one) => all * one, 1);
  if (pattern.kind !== 'repeat') return product;
  return (pattern.most - pattern.least + 1) * product ** pattern.most;
}

/** How many characters at most an attempt to match at one place looks at, in all the ways that it can go. */
export function effortOf(pattern: Pattern): number {
  if (!('parts' in pattern)) return pattern.kind === 'reference' ? Infinity : 1;
  if (pattern.kind === 'alternatives') return pattern.parts.reduce((sum, part) => sum + effortOf(part), 0);
  let ways = 1;
  let effort = 0;
  for (const part of pattern.parts) {
    effort += ways * effortOf(part);
    ways *= waysOf(part);
  }
  if (pattern.kind !== 'repeat') return effort;
  return effort * (ways === 1 ? pattern.most : (ways ** pattern.most - 1) / (ways - 1));
}

/** Every group that is referred to. */
export function references(pattern: Pattern): readonly number[] {
  if (pattern.kind === 'reference') return [pattern.to];
  return 'parts' in pattern ? pattern.parts.flatMap(references) : [];
}

function makesOptional(pattern: CompositePattern): boolean {
  if (pattern.kind === 'repeat') return pattern.least === 0;
  return pattern.kind === 'alternatives' || (pattern.kind === 'look' && pattern.negative);
}
