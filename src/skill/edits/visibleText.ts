/** A character that nobody sees, or that changes how the text around it is seen. */
export interface InvisibleCharacter {
  /** As people write it: `U+200B`. */
  readonly name: string;
  readonly what: 'control character' | 'half a character' | 'invisible character' | 'character without a meaning';
}

/**
 * The first character of `text` that a person would not see, unless `replaced` holds as many of it: what stood there
 * before may stay. Joiners are lawful where a script or an emoji needs them, selectors behind what they select.
 */
export function findInvisible(text: string, replaced = ''): InvisibleCharacter | undefined {
  if (!suspicious.test(text)) return undefined;
  const characters = Array.from(text); // code points
  const counts = new Map<string, number>();
  for (const [index, character] of characters.entries()) {
    const what = kindOf(character);
    if (what === undefined || isNeeded(characters, index)) continue;
    const count = (counts.get(character) ?? 0) + 1;
    counts.set(character, count);
    if (count > timesIn(replaced, character)) return { name: nameOf(character), what };
  }
  return undefined;
}

/** Fillers, joiners of marks and separators of lines: no formatting by their class, and nothing to see. */
const fillers = ['\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', '\u2028', '\u2029', '\u3164', '\uffa0'];

// Most texts, in any script, hold nothing that needs a closer look.
const suspicious = new RegExp(`[^\\P{C}\\n\\r\\t]|\\p{Variation_Selector}|${fillers.join('|')}`, 'u');

function kindOf(character: string): InvisibleCharacter['what'] | undefined {
  if (/[\n\r\t]/.test(character)) return undefined;
  if (/\p{Cc}/u.test(character)) return 'control character';
  if (/\p{Cs}/u.test(character)) return 'half a character';
  if (/\p{Cn}|\p{Co}/u.test(character)) return 'character without a meaning';
  return /\p{Variation_Selector}/u.test(character) || isUnseen(character) ? 'invisible character' : undefined;
}

/** Fillers, and formatting that has no shape of its own. */
function isUnseen(character: string): boolean {
  if (fillers.includes(character)) return true;
  // These signs of Arabic, Syriac and Kaithi count as formatting and are drawn.
  return (
    /\p{Cf}/u.test(character) && !/[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(character)
  );
}

/** Scripts whose letters change their shape with a joiner between them. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const emojiPart = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;

function isNeeded(characters: readonly string[], index: number): boolean {
  const [before, at, after] = [characters[index - 1] ?? '', characters[index] ?? '', characters[index + 1] ?? ''];
  if (at === '\u200c' || at === '\u200d') return isJoined(before, at, after);
  if (at === '\ufe0e' || at === '\ufe0f') return /^[\p{Emoji}\p{Extended_Pictographic}]$/u.test(before);
  if (/\p{Variation_Selector}/u.test(at)) return /\p{Script=Han}/u.test(before);
  return isInFlag(characters, index);
}

function isJoined(before: string, joiner: string, after: string): boolean {
  if (joining.test(before) && joining.test(after)) return true;
  return joiner === '\u200d' && emojiPart.test(before) && /\p{Extended_Pictographic}/u.test(after);
}

/** The flags of England, Scotland and Wales are written with tags behind a black flag: nothing else is. */
const flags = ['gbeng', 'gbsct', 'gbwls'].map((code) => Array.from(code, tagOf).join('') + tagOf('\u007f'));

function isInFlag(characters: readonly string[], index: number): boolean {
  if (!/[\u{e0020}-\u{e007f}]/u.test(characters[index] ?? '')) return false;
  const start = characters.slice(0, index).lastIndexOf('\u{1f3f4}');
  const tags = characters.slice(start + 1, start + 7).join('');
  return start >= 0 && index <= start + 6 && flags.includes(tags);
}

function tagOf(letter: string): string {
  return String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0));
}

function timesIn(text: string, character: string): number {
  return text.split(character).length - 1;
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
