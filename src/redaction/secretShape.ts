import type { Search, SecretShape, Span } from './span.js';
import { standsForSecret } from './standIn.js';

/** The secrets of these shapes in a text, in their order. */
export function* findShapes(text: string, shapes: readonly SecretShape[]): Search {
  const found: (readonly Span[])[] = [];
  for (const shape of shapes) {
    found.push(findShape(text, shape));
    yield;
  }
  return found.flat();
}

/** The secrets of one shape in a text. */
export function findShape(text: string, shape: SecretShape): readonly Span[] {
  return [...text.matchAll(shape.pattern)].flatMap((match) => secretOf(match, shape));
}

/**
 * The same of a shape that a text can only begin with, whose pattern is sticky. There is such a text behind every name, and
 * to look for further matches takes ten times as long as to look for the one.
 */
export function findShapeAtStart(text: string, shape: SecretShape): readonly Span[] {
  shape.pattern.lastIndex = 0;
  const match = shape.pattern.exec(text);
  return match === null ? [] : secretOf(match, shape);
}

function secretOf(match: RegExpExecArray, { kind, accept }: SecretShape): readonly Span[] {
  const groups = match.indices?.groups;
  const [start, end] = groups?.['secret'] ?? groups?.['bare'] ?? [match.index, match.index + match[0].length];
  const secret = match.input.slice(start, end);
  return blackedOut.test(secret) || accept?.(secret) === false ? [] : [{ start, end, kind }];
}

/** A prefix with a row of crosses, as manuals print it. */
const blackedOut = /x{8}|X{8}|\*{4}/;

/** Where a login stands, anything may be the password, except what manuals write there. */
export function isRealPassword(secret: string): boolean {
  return !standsForSecret(secret) && !commonPlaceholders.test(secret);
}

/** Words that stand for a password in every manual. */
const commonPlaceholders =
  /^(?:pass(?:word|wd)?|pwd|secret|token|changeme|changeit|test|postgres|root|admin|user|guest|example|mypassword|mysecretpassword|x+|\*+|\.+)$/i;

/** Without the signs that addresses are encoded with; one that is encoded wrongly is judged as it stands. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
