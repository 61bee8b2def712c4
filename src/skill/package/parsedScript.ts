import type { ForeignLanguage } from './packageFile.js';

/** What a parser says of a text. */
export type ParsedScript =
  | { readonly kind: 'parses' }
  /** In the words of the parser, and where, as far as it says. */
  | { readonly kind: 'broken'; readonly message: string; readonly line?: number | undefined }
  /** Nobody can say: no parser here, one that took too long, or one that the text ended. The reason is a sentence. */
  | { readonly kind: 'unparsed'; readonly reason: string };

/** Parses a text in a language that is not parsed in this process; nothing of it is run. */
export type ParseScript = (language: ForeignLanguage, text: string) => Promise<ParsedScript>;

const longestReason = 200; // characters

/** What a parser says, in one line, with nothing that nobody sees. */
export function shortReason(message: string): string {
  const line = message
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/u, '');
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}
