import { visibleText } from './visibleText.js';

/**
 * The words of a text, lower case, without punctuation and without what nobody sees. Scripts that put no spaces between words (Chinese,
 * Japanese, Thai) and Korean, whose endings stick to the word, give one token a character.
 */
export function tokensOf(text: string): readonly string[] {
  return spelledTokensOf(visibleText(text));
}

/** The same with every character, as earlier versions took them: an invisible one ends a word or belongs to it. */
export function spelledTokensOf(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(token) ?? [];
}

/**
 * How much two texts say the same, 0..1: the share of their features that they have in common. A feature is a word,
 * or two neighbouring characters where characters are the tokens. Symmetric; 1 for equal texts, 0 for empty ones.
 */
export function similarity(first: string, second: string): number {
  return overlap(featuresOf(first), featuresOf(second));
}

/** Prepared once where one text is compared with many. */
export function featuresOf(text: string): ReadonlySet<string> {
  const tokens = tokensOf(text);
  const features = new Set<string>();
  tokens.forEach((one, index) => {
    if (!isCharacter(one)) features.add(one);
    else {
      const next = tokens[index + 1];
      const previous = tokens[index - 1];
      if (isCharacter(next)) features.add(one + next);
      else if (!isCharacter(previous)) features.add(one);
    }
  });
  return features;
}

/** Jaccard's index of two sets. */
export function overlap<T>(first: ReadonlySet<T>, second: ReadonlySet<T>): number {
  const [small, large] = first.size <= second.size ? [first, second] : [second, first];
  let shared = 0;
  for (const feature of small) if (large.has(feature)) shared += 1;
  const all = first.size + second.size - shared;
  return all === 0 ? 0 : shared / all;
}

const spaceless = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const token = new RegExp(`[${spaceless}]|(?:(?![${spaceless}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const character = new RegExp(`^[${spaceless}]$`, 'u');

/** Whether a token is one character of a script without spaces. */
export function isCharacter(one: string | undefined): one is string {
  return one !== undefined && character.test(one);
}
