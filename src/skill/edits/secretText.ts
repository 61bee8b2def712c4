import type { Splice } from './splice.js';

/** A secret as it stands in a text, and what kind it is. */
export interface FoundSecret {
  readonly kind: string;
  readonly secret: string;
}

/** Finds what looks like a secret in a text. */
export type FindSecrets = (text: string) => readonly FoundSecret[];

/**
 * Why an edit may not be made, in a sentence: what it brings in is a secret that the document does not hold there, or
 * stands for one. A secret that is there may stay and move; a second copy of it, in an address say, comes from nowhere.
 * `next` is the document after the edit: a value may be a secret by the name beside it alone.
 */
export function findSecretText(
  document: string,
  { next, planned }: { readonly next: string; readonly planned: Splice },
  find: FindSecrets | undefined,
): string | undefined {
  const placeholder = planned.text.match(placeholders)?.find((each) => !document.includes(each));
  if (placeholder !== undefined) {
    return `The edit brings in ${placeholder}, which stands for a secret that is not in the document.`;
  }
  const isMore = ({ secret }: FoundSecret): boolean => copiesIn(next, secret) > copiesIn(document, secret);
  const found = find?.(linesAround(next, planned)).find(isMore);
  return found === undefined
    ? undefined
    : `The edit brings in what looks like a secret (${found.kind}): a skill is read by everyone who has it.`;
}

function copiesIn(text: string, secret: string): number {
  return secret === '' ? 0 : text.split(secret).length - 1;
}

/** What stands in a text for secrets that were taken out of it, each once. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(placeholders))];
}

/** What redaction puts in the place of a secret. */
const placeholders = /REDACTED_[a-z0-9-]{1,40}_[0-9a-f]{12}/g;

/** What the edit put in, with the lines that it touches and one more on each side, where a telling name may stand. */
function linesAround(text: string, { start, text: inserted }: Splice): string {
  const first = text.lastIndexOf('\n', text.lastIndexOf('\n', start - 1) - 1);
  const end = text.indexOf('\n', start + inserted.length);
  const last = end < 0 ? -1 : text.indexOf('\n', end + 1);
  return text.slice(start === 0 || first < 0 ? 0 : first + 1, last < 0 ? text.length : last);
}
