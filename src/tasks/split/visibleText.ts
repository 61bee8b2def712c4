/**
 * A text without the characters that nobody sees: soft hyphens, joiners, variation selectors, fillers, tags and control
 * characters. Two texts that look the same are the same to whoever reads them. White space stays, also where it is a
 * control character.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, '');
}

const unseen = /\p{Default_Ignorable_Code_Point}|[\u115F\u1160\u3164\uFFA0\uFFF9-\uFFFB]|(?![\s\x85])\p{Cc}/gu;
