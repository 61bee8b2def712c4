/**
 * A text without the characters that nobody sees: soft hyphens, joiners, variation selectors, fillers, tags and control
 * characters. Two texts that look the same are the same to whoever reads them. White space stays, also where it is a
 * control character. For comparing alone: a skill may hold the joiners that a script or an emoji needs.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, '');
}

const unseen = /\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]|(?![\s\x85])\p{Cc}/gu;
