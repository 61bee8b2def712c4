import { findAllPatiently } from './boundedTest.js';
import { parsePattern } from './parsePattern.js';
import type { ClassName, Pattern, SetItem } from './pattern.js';
import type { TranslatedRegex } from './translateRegex.js';

/**
 * Whether no answer can fail an expression, as far as trying tells: it is found in texts that are unlike each other, and in
 * those that it forbids by its own words. `^(?!.*bank)` is found in nearly everything, but not in “bank”.
 */
export function neverFails(source: string, regex: TranslatedRegex): boolean {
  if (!regex.mayBeEmpty) return false;
  return (
    findAllPatiently(regex, [...unlikeEachOther, ...forbiddenIn(parsePattern(source).pattern).slice(0, mostTexts)]) ===
    true
  );
}

const unlikeEachOther = ['', 'x', 'No.\n', '\u0000', '漢字 42', 'a\n\nb', 'x'.repeat(3_000)];
const mostTexts = 100;

/** Texts that an expression seems to forbid: what it must not be followed by, and the characters that its sets leave out. */
function forbiddenIn(pattern: Pattern): readonly string[] {
  if (pattern.kind === 'set' && pattern.negated) return pattern.items.map(characterOf);
  if (!('parts' in pattern)) return [];
  const inner = pattern.parts.flatMap(forbiddenIn);
  if (pattern.kind !== 'look' || !pattern.negative) return inner;
  const [forbidden] = pattern.parts;
  return [...inner, textOf(forbidden, 0), textOf(forbidden, 1)];
}

const mostRepeats = 200;

/** A text that a pattern finds, where it is a simple one; what may be left out is there `optional` times. */
function textOf(pattern: Pattern, optional: 0 | 1): string {
  switch (pattern.kind) {
    case 'character':
      return String.fromCodePoint(pattern.code);
    case 'any':
      return 'x';
    case 'set':
      return pattern.negated ? 'x' : pattern.items.slice(0, 1).map(characterOf).join('');
    case 'sequence':
    case 'group':
      return pattern.parts.map((part) => textOf(part, optional)).join('');
    case 'alternatives':
      return pattern.parts
        .slice(0, 1)
        .map((part) => textOf(part, optional))
        .join('');
    case 'repeat':
      return textOf(pattern.parts[0], optional).repeat(Math.min(Math.max(pattern.least, optional), mostRepeats));
    case 'look':
      return pattern.negative ? '' : textOf(pattern.parts[0], optional);
    case 'place':
    case 'reference':
      return '';
  }
}

function characterOf(item: SetItem): string {
  switch (item.kind) {
    case 'range':
      return String.fromCodePoint(item.from);
    case 'class':
      return inClass[item.name];
    case 'property':
      return 'x';
  }
}

const inClass: Readonly<Record<ClassName, string>> = { d: '7', D: 'x', w: 'x', W: '!', s: ' ', S: 'x' };
