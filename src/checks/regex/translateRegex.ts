import { withCaseVariants } from './caseVariants.js';
import { parsePattern } from './parsePattern.js';
import {
  effortOf,
  leastWidthOf,
  PatternError,
  type ClassName,
  type LeafPattern,
  type Pattern,
  type Place,
  type SetItem,
} from './pattern.js';

/** An expression for JavaScript's `v` mode that finds what its source finds in Python. */
export interface TranslatedRegex {
  readonly source: string;
  readonly flags: string;
  /** True where its backtracking is bounded by itself, so that it needs no watch. */
  readonly harmless: boolean;
  /** True where it may be found in the empty text. */
  readonly mayBeEmpty: boolean;
}

export type RegexTranslation =
  | { readonly kind: 'translated'; readonly regex: TranslatedRegex }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Translates an expression written for Python or for JavaScript where both mean the same. Where they only differ
 * beyond ASCII or at the ends of lines, Python's meaning is used: `\w`, `\d`, `\s` and `\b` know all of Unicode, `.`
 * stops at a line feed alone, and `$` also stands before a last line feed. Flags: i, m, s; u changes nothing, a is ASCII.
 */
export function translateRegex(source: string, flags: string): RegexTranslation {
  try {
    const parsed = parsePattern(source);
    const all = new Set(`${flags}${parsed.flags}`);
    const unknown = [...all].find((flag) => !'imsua'.includes(flag));
    if (unknown !== undefined) throw new PatternError(`the flag “${unknown}” is not known to both languages`, 0);
    const folded = all.has('i') ? withCaseVariants(parsed.pattern) : undefined;
    const regex = {
      source: print(folded ?? parsed.pattern, { ascii: all.has('a'), lines: all.has('m'), dotAll: all.has('s') }),
      flags: all.has('i') && folded === undefined ? 'iv' : 'v',
      harmless: effortOf(parsed.pattern) <= mostEffort,
      mayBeEmpty: leastWidthOf(parsed.pattern) === 0,
    };
    // What is left to refuse must not wait for an answer; only properties are, and compiling is not free.
    if (/\\[pP]\{/u.test(source)) void new RegExp(regex.source, regex.flags);
    return { kind: 'translated', regex };
  } catch (error) {
    if (error instanceof PatternError)
      return { kind: 'refused', reason: `${error.message} (at character ${error.offset + 1})` };
    if (error instanceof SyntaxError) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

// Characters looked at for each one of the answer: times a megabyte this is still well below a second.
const mostEffort = 256;

interface Meaning {
  readonly ascii: boolean;
  readonly lines: boolean;
  readonly dotAll: boolean;
}

function print(pattern: Pattern, meaning: Meaning): string {
  if (!('parts' in pattern)) return printLeaf(pattern, meaning);
  const parts = pattern.parts.map((part) => print(part, meaning));
  const body = parts.join('');
  switch (pattern.kind) {
    case 'sequence':
      return parts.map((part, index) => knownEdge(pattern.parts, index, meaning) ?? part).join('');
    case 'alternatives':
      return `(?:${parts.join('|')})`;
    case 'group':
      return pattern.number === undefined ? `(?:${body})` : `(${body})`;
    case 'look':
      return `${lookOpening(pattern)}${body})`;
    case 'repeat':
      return `(?:${body})${printBounds(pattern)}${pattern.lazy ? '?' : ''}`;
  }
}

/** Beside a letter or a digit the edge of a word is a matter of the other side alone. */
function knownEdge(parts: readonly Pattern[], index: number, meaning: Meaning): string | undefined {
  const own = parts[index];
  if (own?.kind !== 'place' || own.place !== 'wordEdge') return undefined;
  if (isWordCharacter(parts[index + 1])) return `(?<!${printClass('w', meaning)})`;
  return isWordCharacter(parts[index - 1]) ? `(?!${printClass('w', meaning)})` : undefined;
}

function isWordCharacter(pattern: Pattern | undefined): boolean {
  const word = /^[0-9A-Za-z_]$/u;
  if (pattern?.kind === 'character') return word.test(String.fromCodePoint(pattern.code));
  if (pattern?.kind !== 'set' || pattern.negated) return false;
  return pattern.items.every(
    (item) => item.kind === 'range' && item.from === item.to && word.test(String.fromCodePoint(item.from)),
  );
}

function printLeaf(pattern: LeafPattern, meaning: Meaning): string {
  switch (pattern.kind) {
    case 'character':
      return printCharacter(pattern.code);
    case 'any':
      return meaning.dotAll ? String.raw`[\s\S]` : String.raw`[^\n]`;
    case 'place':
      return printPlace(pattern.place, meaning);
    case 'set':
      return `[${pattern.negated ? '^' : ''}${pattern.items.map((item) => printSetItem(item, meaning)).join('')}]`;
    case 'reference':
      return `(?:\\${pattern.to})`;
  }
}

function lookOpening({ behind, negative }: { readonly behind: boolean; readonly negative: boolean }): string {
  return `(?${behind ? '<' : ''}${negative ? '!' : '='}`;
}

function printBounds({ least, most }: { readonly least: number; readonly most: number }): string {
  if (most === Infinity) return least === 0 ? '*' : `{${least},}`;
  return `{${least},${most}}`;
}

function printCharacter(code: number): string {
  const text = String.fromCodePoint(code);
  return /[\p{L}\p{N} ]/u.test(text) ? text : `\\u{${code.toString(16)}}`;
}

function printPlace(place: Place, meaning: Meaning): string {
  const word = printClass('w', meaning);
  switch (place) {
    case 'start':
      return meaning.lines ? String.raw`(?<![^\n])` : '^';
    case 'end':
      return meaning.lines ? String.raw`(?![^\n])` : String.raw`(?=\n?(?![\s\S]))`;
    case 'textStart':
      return '^';
    case 'textEnd':
      return String.raw`(?![\s\S])`;
    case 'wordEdge':
      return `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
    case 'notWordEdge':
      return `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;
  }
}

function printSetItem(item: SetItem, meaning: Meaning): string {
  switch (item.kind) {
    case 'range': {
      const from = `\\u{${item.from.toString(16)}}`;
      return item.from === item.to ? from : `${from}-\\u{${item.to.toString(16)}}`;
    }
    case 'class':
      return printClass(item.name, meaning);
    case 'property':
      return item.text;
  }
}

function printClass(name: ClassName, { ascii }: Meaning): string {
  return (ascii ? asciiClasses : unicodeClasses)[name];
}

// What Python calls white space: the separators of ASCII among it, a byte order mark not.
const unicodeSpaces = String.raw`\t-\r\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}`;

const unicodeClasses: Readonly<Record<ClassName, string>> = {
  d: String.raw`\p{Nd}`,
  D: String.raw`\P{Nd}`,
  w: String.raw`[\p{L}\p{N}_]`,
  W: String.raw`[^\p{L}\p{N}_]`,
  s: `[${unicodeSpaces}]`,
  S: `[^${unicodeSpaces}]`,
};
const asciiClasses: Readonly<Record<ClassName, string>> = {
  ...unicodeClasses,
  d: '[0-9]',
  D: '[^0-9]',
  w: '[0-9A-Za-z_]',
  W: '[^0-9A-Za-z_]',
  s: String.raw`[\t-\r\u{20}]`,
  S: String.raw`[^\t-\r\u{20}]`,
};
