/** A text as it is meant, and the way back to where each of its characters stands in the text itself. */
export interface Reading {
  readonly text: string;
  /** The place in the original of a span of {@link text}. */
  originalOf(start: number, end: number): readonly [start: number, end: number];
}

/**
 * The text without what hides a secret from a search and from nobody else: characters that are not seen and terminal codes
 * inside of a word, marks of bold type and spaces between its letters, letters of other alphabets that look like ours within
 * a word of ours, and letters that are written as `%5F`, `\u005f` or `&#95;` although nothing needs it. Undefined where it
 * has none of that, as nearly every text.
 */
export function spelledReading(text: string): Reading | undefined {
  return mayHide(text) ? readingOf(text, text.matchAll(hiding), (found) => plainly(found)) : undefined;
}

/** Whether it holds a part of what hides something: of each it is the part that is found soonest. */
function mayHide(text: string): boolean {
  return written.test(text) || spaced.test(text) || (unusual.test(text) && hidingSign.test(text));
}

const unseen =
  '\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
/** Cyrillic and Greek letters, each with the letter of ours that it looks like. */
const lookAlike = new Map(
  'аa еe оo рp сc уy хx іi ѕs јj ԁd ԛq ԝw һh ӏl ѵv ɡg АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЅS ЈJ αa οo νv ρp ιi κk ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
);
const foreign = [...lookAlike.keys()].join('');

const hiding = new RegExp(
  [
    `(?<=[!-~])(?:\\u001b\\[[0-9;?]{0,20}[A-Za-z]|[${unseen}]|[\\u{e0000}-\\u{e01ef}]){1,40}(?=[!-~])`,
    `(?<=[A-Za-z])[${foreign}]{1,8}|[${foreign}]{1,8}(?=[A-Za-z])`,
    '(?<=[A-Za-z])\\*\\*(?=[A-Za-z])',
    '(?<![A-Za-z\\d] ?)(?:[A-Za-z] ){4,24}[A-Za-z](?![A-Za-z\\d])',
    '[\\uff10-\\uff19\\uff21-\\uff3a\\uff3f\\uff41-\\uff5a]',
    '&#(?:4[5-9]|5[0-7]|6[5-9]|[78]\\d|9[0-57-9]|1[01]\\d|12[0-2]);',
    '%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])',
    '\\\\{1,4}(?:u00|x)(?:2[0-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])(?![-\\]])',
  ].join('|'),
  'gu',
);

const written = /[A-Za-z]\*\*[A-Za-z]|&#|%[2-7]|\\(?:u00|x)/;
const spaced = /(?:[A-Za-z] ){4}[A-Za-z]/;
const unusual = /[^\t\n\r -~]/;
const hidingSign = new RegExp(`[${unseen}${foreign}\\uff10-\\uff5a\\u{e0000}-\\u{e01ef}]`, 'u');

function plainly(found: string): string {
  if (/^[A-Za-z*]/.test(found)) return found.replaceAll(/[ *]/g, '');
  if (found.startsWith('&')) return String.fromCharCode(Number.parseInt(found.slice(2), 10));
  if (found.startsWith('%')) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (found.startsWith('\\')) return String.fromCharCode(Number.parseInt(found.slice(-2), 16));
  const first = found.charCodeAt(0);
  if (first >= 0xff10 && first <= 0xff5a) return String.fromCharCode(first - 0xfee0);
  return Array.from(found, (letter) => lookAlike.get(letter) ?? '').join('');
}

/**
 * The text with lines joined where one ends within a token and the next one may go on with it: a terminal and a mail break
 * them there. What follows must look drawn: the line after a token is seldom the rest of it.
 */
export function joinedReading(text: string): Reading | undefined {
  return readingOf(text, text.matchAll(broken), () => '');
}

const broken =
  /\r?\n(?<=(?:[A-Za-z][A-Za-z0-9]{1,15}[_.-][\w.-]{4,200}|(?:AKIA|ASIA|AIza)[\w-]{0,40})\r?\n)[ \t>]{0,8}(?=(?=[A-Za-z]{0,200}\d)(?=\d{0,200}[A-Za-z])[\w-]{4,200}(?![\w.(:=/@-]))/gu;

/** A stretch of a reading, and of the original that it stands for. */
interface Stretch {
  readonly here: number;
  readonly there: number;
  readonly length: number;
  readonly isChanged: boolean;
}

function readingOf(
  text: string,
  changes: Iterable<RegExpExecArray>,
  plain: (found: string) => string,
): Reading | undefined {
  const parts: string[] = [];
  const stretches: Stretch[] = [];
  let [here, there] = [0, 0];
  const add = (part: string, length: number, isChanged: boolean): void => {
    if (part !== '') stretches.push({ here, there, length, isChanged });
    parts.push(part);
    here += part.length;
    there += length;
  };
  for (const { 0: found, index } of changes) {
    add(text.slice(there, index), index - there, false);
    add(plain(found), found.length, true);
  }
  if (parts.length === 0) return undefined;
  add(text.slice(there), text.length - there, false);
  return {
    text: parts.join(''),
    originalOf: (start, end) => {
      const first = stretchAt(stretches, start);
      const last = stretchAt(stretches, end - 1);
      return [
        first.isChanged ? first.there : first.there + start - first.here,
        last.isChanged ? last.there + last.length : last.there + end - last.here,
      ];
    },
  };
}

function stretchAt(stretches: readonly Stretch[], place: number): Stretch {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stretches[middle]?.here ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return stretches[low] ?? { here: 0, there: 0, length: 0, isChanged: false };
}
