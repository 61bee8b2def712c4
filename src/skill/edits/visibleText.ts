/** A character that nobody sees, or that changes how the text around it is seen. */
export interface InvisibleCharacter {
  /** As people write it: `U+200B`. */
  readonly name: string;
  readonly what: 'control character' | 'half a character' | 'invisible character' | 'character without a meaning';
}

/** One of them in its place: UTF-16 offsets of the text it was found in. */
export interface FoundCharacter extends InvisibleCharacter {
  readonly character: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The first character of `text` that a person would not see, unless `replaced` holds as many of it: what stood there
 * before may stay. Joiners are lawful where a script or an emoji needs them, selectors behind what they select.
 */
export function findInvisible(text: string, replaced = ''): InvisibleCharacter | undefined {
  const left = new Map<string, number>();
  for (const { character } of eachInvisible(replaced)) left.set(character, (left.get(character) ?? 0) + 1);
  for (const { character, name, what } of eachInvisible(text)) {
    const count = left.get(character) ?? 0;
    if (count === 0) return { name, what };
    left.set(character, count - 1);
  }
  return undefined;
}

/** Every character that a person would not see, in order. Time grows with the length of the text. */
export function* eachInvisible(text: string): Generator<FoundCharacter> {
  for (const run of text.matchAll(beyondAscii)) {
    for (const match of run[0].matchAll(suspicious)) {
      const [character] = match;
      const start = run.index + match.index;
      const what = kindOf(character);
      if (what === undefined || isNeeded(text, start, character)) continue;
      yield { name: nameOf(character), what, character, start, end: start + character.length };
    }
  }
}

/** True where taking `offset` for a border would part the two halves of one character. */
export function partsCharacter(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, offset - 1), offset + 1));
}

// What is not printed ASCII: the classes of Unicode take ten times as long, and only these can hold what they look for.
const beyondAscii = /[^\n\r\t\x20-\x7e]+/g;

// Most texts, in any script, hold nothing that needs a closer look. Beside controls, formatting and what is ignored by
// default: separators of lines, the blank of Braille and a note without a head, which are drawn as nothing.
const suspicious = /[^\P{C}\n\r\t]|\p{Default_Ignorable_Code_Point}|[\u2028\u2029\u2800\u{1d159}]/gu;

/** These signs of Arabic, Syriac, Kaithi and Egyptian count as formatting and are drawn. */
const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;

function kindOf(character: string): InvisibleCharacter['what'] | undefined {
  if (/\p{Cc}/u.test(character)) return 'control character';
  if (/\p{Cs}/u.test(character)) return 'half a character';
  if (/\p{Cn}|\p{Co}/u.test(character)) return 'character without a meaning';
  return drawn.test(character) ? undefined : 'invisible character';
}

function isNeeded(text: string, start: number, character: string): boolean {
  const [before, after] = [characterBefore(text, start), characterAt(text, start + character.length)];
  switch (character) {
    case '\u200c':
    case '\u200d':
      return isJoined(before, character, after);
    case '\u200b':
      return isUnspaced(before) && isUnspaced(after);
    case '\u180e':
      return /\p{Script=Mongolian}/u.test(before) && /\p{Script=Mongolian}/u.test(after);
    case '\u2800':
      return isBraille(before) || isBraille(after);
    default:
      return isSelecting(before, character, after) || isInFlag(text, start);
  }
}

function characterAt(text: string, start: number): string {
  const point = text.codePointAt(start);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function characterBefore(text: string, start: number): string {
  return characterAt(text, partsCharacter(text, start - 1) ? start - 2 : start - 1);
}

/** Letters and signs of scripts whose letters change their shape with a joiner between them. */
const joining =
  /^(?=[\p{L}\p{M}\p{N}])[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Nko}\p{scx=Mongolian}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Myanmar}]$/u;
/** The sign that takes the vowel from a letter: a joiner behind it shapes the letter at the end of a word too. */
const vowelKiller = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;
const emojiPart = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;

function isJoined(before: string, joiner: string, after: string): boolean {
  if (joining.test(before) && joining.test(after)) return true;
  if (vowelKiller.test(before)) return !/[\u200c\u200d]/.test(after);
  // A letter of Arabic that stands alone for a word keeps the shape that it has before another one.
  if (joiner === '\u200d' && /[\p{Script=Arabic}]/u.test(before)) return !/[\u200c\u200d]/.test(after);
  return joiner === '\u200d' && emojiPart.test(before) && /\p{Extended_Pictographic}/u.test(after);
}

/** Scripts that put no spaces between words, and mark where a line may break. */
function isUnspaced(character: string): boolean {
  return /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character);
}

function isBraille(character: string): boolean {
  return /[\u2801-\u28ff]/.test(character);
}

/** Whether a variation selector stands behind a character that has variants, as Unicode lists them. */
function isSelecting(before: string, selector: string, after: string): boolean {
  if (/[\ufe0e\ufe0f]/.test(selector)) {
    if (/[0-9#*]/.test(before)) return after === '\u20e3';
    return /^[\p{Emoji}\p{Extended_Pictographic}]$/u.test(before);
  }
  if (/[\u{e0100}-\u{e011f}]/u.test(selector)) return /\p{Script=Han}/u.test(before);
  if (/[\u180b-\u180d\u180f]/.test(selector)) return /\p{Script=Mongolian}/u.test(before);
  if (/[\ufe00-\ufe02]/.test(selector)) return /[\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}]/u.test(before);
  return false;
}

/** The flags of England, Scotland and Wales are written with tags behind a black flag: nothing else is. */
const flags = ['gbeng', 'gbsct', 'gbwls'].map((code) => `\u{1f3f4}${Array.from(`${code}\u007f`, tagOf).join('')}`);
const lengthBeforeTag = 12; // UTF-16 units: the black flag and five tags come before the last one

function isInFlag(text: string, start: number): boolean {
  if (!/[\u{e0020}-\u{e007f}]/u.test(characterAt(text, start))) return false;
  const from = Math.max(0, start - lengthBeforeTag);
  const flag = text.slice(from, start).lastIndexOf('\u{1f3f4}');
  return flag >= 0 && flags.some((each) => text.startsWith(each, from + flag));
}

function tagOf(letter: string): string {
  return String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0));
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
