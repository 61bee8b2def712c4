import type { ClassName, Pattern, SetItem } from './pattern.js';

/** What the flags make of a pattern. */
export interface Reading {
  readonly anyCase: boolean;
  readonly lines: boolean;
  readonly dotAll: boolean;
}

/** One character of a kind, in words. */
export interface Unit {
  /** `a digit` */
  readonly one: string;
  /** `digits` */
  readonly many: string;
  /** So many of them, for an example. */
  readonly sample: (count: number) => string;
  /** True where each is a letter, a digit or an underscore. */
  readonly isWord: boolean;
  /** How far a run of them can reach. */
  readonly reach: 'anywhere' | 'line' | 'some';
  readonly mayBreak: boolean;
}

/** The characters that a leaf of a pattern allows, in words; undefined where no short words say it. */
export function unitOf(pattern: Pattern, reading: Reading): Unit | undefined {
  if (pattern.kind === 'any') return reading.dotAll ? anything : anythingOnLine;
  if (pattern.kind === 'character') return unitOfItems([single(pattern.code)], reading);
  if (pattern.kind !== 'set') return undefined;
  if (isEverything(pattern)) return anything;
  return pattern.negated ? unitWithout(pattern.items) : unitOfItems(pattern.items, reading);
}

const anything: Unit = {
  one: 'any character',
  many: 'characters of any text',
  sample: textOf,
  isWord: false,
  reach: 'anywhere',
  mayBreak: true,
};
const anythingOnLine: Unit = {
  ...anything,
  one: 'any character of the same line',
  many: 'characters of the same line',
  reach: 'line',
  mayBreak: false,
};

function textOf(count: number): string {
  return count === 1 ? 'x' : 'some text '.repeat(Math.ceil(count / 10)).slice(0, count);
}

const opposites: readonly (readonly [ClassName, ClassName])[] = [
  ['s', 'S'],
  ['d', 'D'],
  ['w', 'W'],
];

function isEverything({ negated, items }: Extract<Pattern, { kind: 'set' }>): boolean {
  const names = items.flatMap((item) => (item.kind === 'class' ? [item.name] : []));
  return !negated && opposites.some((pair) => pair.every((name) => names.includes(name)));
}

function single(code: number): SetItem {
  return { kind: 'range', from: code, to: code };
}

/** What one entry of a set allows. */
interface ItemWords {
  readonly one: string;
  readonly many: string;
  readonly sample: (count: number) => string;
  readonly isWord: boolean;
  readonly mayBreak: boolean;
}

const mostItems = 5; // of a set; a longer list says nothing that a person would remember

function unitOfItems(items: readonly SetItem[], reading: Reading): Unit | undefined {
  const words = items.map((item) => wordsOf(item, reading));
  const [first] = words;
  if (first === undefined || words.length > mostItems) return undefined;
  const known = words.filter((each) => each !== undefined);
  if (known.length < words.length) return undefined;
  return {
    one: orJoined(known.map(({ one }) => one)),
    many: orJoined(known.map(({ many }) => many)),
    sample: first.sample,
    isWord: known.every(({ isWord }) => isWord),
    reach: 'some',
    mayBreak: known.some(({ mayBreak }) => mayBreak),
  };
}

function unitWithout(items: readonly SetItem[]): Unit | undefined {
  if (items.length === 1 && isOnly(items[0], lineFeed)) return anythingOnLine;
  const exact: Reading = { anyCase: false, lines: false, dotAll: false };
  const words = items.map((item) => wordsOf(item, exact));
  const known = words.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < words.length || known.length > mostItems) return undefined;
  const sample = ['x', '1', '-', '.', '…'].find((text) => !items.some((item) => mayHold(item, text)));
  if (sample === undefined) return undefined;
  const rest = orJoined(known.map(({ many }) => many));
  return {
    one: `one character other than ${rest}`,
    many: `characters other than ${rest}`,
    sample: (count) => sample.repeat(count),
    isWord: false,
    reach: 'some',
    mayBreak: !known.some(({ mayBreak }) => mayBreak),
  };
}

const lineFeed = 0x0a;

function isOnly(item: SetItem | undefined, code: number): boolean {
  return item?.kind === 'range' && item.from === code && item.to === code;
}

function mayHold(item: SetItem, text: string): boolean {
  if (item.kind === 'range') return item.from <= (text.codePointAt(0) ?? 0) && item.to >= (text.codePointAt(0) ?? 0);
  if (item.kind === 'property') return true;
  return item.name === 'w' ? /\w/.test(text) : item.name === 'd' ? /\d/.test(text) : item.name !== 's';
}

function wordsOf(item: SetItem, reading: Reading): ItemWords | undefined {
  if (item.kind === 'property') return undefined;
  if (item.kind === 'class') return classWords[item.name];
  return item.from === item.to ? characterWords(item.from) : rangeWords(item, reading);
}

const classWords: Readonly<Record<ClassName, ItemWords | undefined>> = {
  d: { one: 'a digit', many: 'digits', sample: digits, isWord: true, mayBreak: false },
  w: {
    one: 'a letter, digit or underscore',
    many: 'letters, digits or underscores',
    sample: (count) => 'word'.repeat(Math.ceil(count / 4)).slice(0, Math.max(count, 1)),
    isWord: true,
    mayBreak: false,
  },
  s: {
    one: 'a white space character',
    many: 'white space characters',
    sample: (count) => ' '.repeat(count),
    isWord: false,
    mayBreak: true,
  },
  S: {
    one: 'a character other than white space',
    many: 'characters other than white space',
    sample: (count) => 'x'.repeat(count),
    isWord: false,
    mayBreak: false,
  },
  D: undefined,
  W: undefined,
};

/** Such as a person writes: a year, a day. */
function digits(count: number): string {
  if (count === 4) return '2024';
  return count === 2 ? '12' : '1234567890'.repeat(Math.ceil(count / 10)).slice(0, count);
}

function rangeWords(
  { from, to }: { readonly from: number; readonly to: number },
  reading: Reading,
): ItemWords | undefined {
  const [first, last] = [String.fromCodePoint(from), String.fromCodePoint(to)];
  const shared = { isWord: true, mayBreak: false };
  if (/^[0-9]{2}$/u.test(first + last)) {
    const bounds = first === '0' && last === '9' ? '' : ` from ${first} to ${last}`;
    const sample = (count: number): string => (bounds === '' ? digits(count) : first.repeat(count));
    return { one: `a digit${bounds}`, many: `digits${bounds}`, sample, ...shared };
  }
  const kind = /^[a-z]{2}$/u.test(first + last) ? 'small' : /^[A-Z]{2}$/u.test(first + last) ? 'capital' : undefined;
  if (kind === undefined) return undefined;
  const what = reading.anyCase ? 'letter' : `${kind} letter`;
  const bounds = ` from ${first} to ${last}`;
  return { one: `a ${what}${bounds}`, many: `${what}s${bounds}`, sample: (count) => first.repeat(count), ...shared };
}

function characterWords(code: number): ItemWords | undefined {
  const text = String.fromCodePoint(code);
  const name = code === lineFeed ? 'a line break' : code === 0x09 ? 'a tab' : code === 0x20 ? 'a space' : quoted(text);
  if (name === undefined) return undefined;
  return {
    one: name,
    many: name.startsWith('a ') ? `${name.slice(2)}s` : name,
    sample: (count) => text.repeat(count),
    isWord: /[\p{L}\p{N}_]/u.test(text),
    mayBreak: code === lineFeed,
  };
}

/** A text in quotes; undefined for what nobody could read there. */
export function quoted(text: string): string | undefined {
  return isPlain(text) ? `“${text}”` : undefined;
}

/** Without control and invisible characters, and without the quotes that would end it. */
export function isPlain(text: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}“”]|[^\S ]/u.test(text);
}

/** `a, b or c` */
export function orJoined(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}
