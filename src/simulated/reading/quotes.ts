const quotePattern =
  /“([^”\n]+)”|"([^"\n]+)"|`([^`\n]+)`|«\s?([^»\n]+?)\s?»|‘([^’\n]+)’(?!\p{L})|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu;

/** A text whose quoted spans are `⟦n⟧`, so that no word inside them is taken for a word of the writer. */
export interface MaskedText {
  readonly text: string;
  /** The quoted spans without their marks, in order; a comma before the closing mark is left out. */
  readonly quotes: readonly string[];
  unmask(text: string): string;
}

/** Understands typographic and straight quotation marks, guillemets and backticks. */
export function maskQuotes(text: string): MaskedText {
  const quotes: string[] = [];
  const literals: string[] = [];
  const masked = text.replaceAll(quotePattern, (literal: string, ...groups: readonly (string | undefined)[]) => {
    const inside = groups.slice(0, 6).find((group) => group !== undefined) ?? '';
    quotes.push(inside.replace(/,$/, ''));
    literals.push(literal);
    return `⟦${quotes.length - 1}⟧`;
  });
  return {
    text: masked,
    quotes,
    unmask: (part) => part.replaceAll(/⟦(\d+)⟧/g, (mark, index: string) => literals[Number(index)] ?? mark),
  };
}
