import { longWords } from './longWords.js';
import type { SecretShape } from './secretShape.js';
import type { Span } from './span.js';
import { vendorTokens } from './vendorTokens.js';
import { structuredSecrets } from './structuredSecrets.js';

/** Secrets that their own shape gives away, whatever stands around them. */
export function findShapedSecrets(text: string): readonly Span[] {
  const words = longWords(text);
  return [
    ...structuredSecrets.flatMap((shape) => findShape(text, shape)),
    ...(words.text === '' ? [] : vendorTokens)
      .flatMap((shape) => findShape(words.text, shape))
      .map(({ start, end, kind }) => ({ start: words.originalOf(start), end: words.originalOf(end - 1) + 1, kind })),
  ];
}

function findShape(text: string, { kind, pattern, accept }: SecretShape): readonly Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    const secret = text.slice(start, end);
    return blackedOut.test(secret) || accept?.(secret) === false ? [] : [{ start, end, kind }];
  });
}

/** A prefix with a row of crosses, as manuals print it. */
const blackedOut = /x{8}|X{8}|\*{4}/;
