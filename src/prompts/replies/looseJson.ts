/** What was read, and whether an entry of a list was left out because the text ended before it did. */
interface LooseJson {
  readonly value: unknown;
  readonly dropped: boolean;
}

/**
 * Reads JSON as models write it: with comments, single, curly or three quotes, bare keys, Python's words, raw line breaks and
 * unescaped quotes in texts, commas too many or too few, and an end that was cut off. Half an entry of a list is never
 * read: it is dropped, and where the text is known to be cut, so is the last entry before the cut. Undefined where it is
 * nothing of the kind. Time grows with the length of the text, whatever is in it, and no depth exhausts the stack.
 */
export function readLooseJson(text: string, isKnownCut = false): LooseJson | undefined {
  // A whole reply that was written as the text of another one.
  const source = /^[{[]\s*\\"/.test(text) ? text.replaceAll(/\\(["\\/])/g, '$1') : text;
  const reading: Reading = { text: source, at: 0, depth: 0, isKnownCut, isOpen: false, dropped: false };
  try {
    return { value: valueOf(reading), dropped: reading.dropped };
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

const deepest = 100; // no reply is asked for in more than a few levels

class NotJson extends Error {}

/** Where the reading stands. */
interface Reading {
  readonly text: string;
  at: number;
  depth: number;
  readonly isKnownCut: boolean;
  /** True once the text has ended before the value that was read. */
  isOpen: boolean;
  dropped: boolean;
}

function valueOf(reading: Reading): unknown {
  skipBlank(reading);
  const character = reading.text.charAt(reading.at);
  if (character === '{') return nested(reading, objectOf);
  if (character === '[') return nested(reading, arrayOf);
  if (!closers.has(character)) return bareValue(reading);
  return textInThree(reading) ?? textOf(reading, 'value');
}

function nested(reading: Reading, read: (reading: Reading) => unknown): unknown {
  if (reading.depth === deepest) throw new NotJson();
  reading.at += 1;
  reading.depth += 1;
  const value = read(reading);
  reading.depth -= 1;
  return value;
}

function objectOf(reading: Reading): unknown {
  const fields: [string, unknown][] = [];
  while (!isOver(reading, '}', ']')) {
    const key = closers.has(reading.text.charAt(reading.at)) ? textOf(reading, 'key') : bareKey(reading);
    skipBlank(reading);
    if (endsHere(reading)) break; // cut off behind a key
    if (reading.text[reading.at] !== ':') throw new NotJson();
    reading.at += 1;
    skipBlank(reading);
    if (endsHere(reading)) break; // cut off before its value
    fields.push([key, valueOf(reading)]);
  }
  return Object.fromEntries(fields);
}

function arrayOf(reading: Reading): unknown {
  const values: unknown[] = [];
  while (!isOver(reading, ']', '}')) {
    const value = valueOf(reading);
    if (reading.isOpen) {
      reading.dropped = true;
      return values;
    }
    values.push(value);
  }
  // A quote or a bracket inside a text can look like the end of an entry.
  if (reading.isOpen && reading.isKnownCut && values.pop() !== undefined) reading.dropped = true;
  return values;
}

function endsHere(reading: Reading): boolean {
  if (reading.at < reading.text.length) return false;
  reading.isOpen = true;
  return true;
}

/** Goes past commas and what was left out, and past the end; an end of another kind is left for who began there. */
function isOver(reading: Reading, end: string, other: string): boolean {
  for (skipBlank(reading); ; skipBlank(reading)) {
    const character = reading.text.charAt(reading.at);
    if (character === '') return endsHere(reading);
    if (character === other) return true;
    if (character === ',') reading.at += 1;
    else if (reading.text.startsWith('...', reading.at)) reading.at += 3;
    else if (character === end) {
      reading.at += 1;
      return true;
    } else return false;
  }
}

const blank = /\s*/y;

function skipBlank(reading: Reading): void {
  for (;;) {
    reading.at = endOf(blank, reading);
    const end = commentEnd(reading.text, reading.at);
    if (end === undefined) return;
    reading.at = end;
  }
}

function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) return orLength(text, text.indexOf('\n', at), 0);
  return text.startsWith('/*', at) ? orLength(text, text.indexOf('*/', at + 2), 2) : undefined;
}

function orLength(text: string, found: number, more: number): number {
  return found < 0 ? text.length : found + more;
}

const closers: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['`', '`'],
]);

/** The text in quotes. A quote that nothing of JSON follows is part of the text; without an end it is all that is left. */
function textOf(reading: Reading, as: 'key' | 'value'): string {
  const { text } = reading;
  const closer = closers.get(text.charAt(reading.at)) ?? '';
  const plain = plainUntil.get(closer) ?? /[^]*/y;
  const parts: string[] = [];
  let from = reading.at + 1;
  let at = endOf(plain, { text, at: from });
  while (at < text.length && !(text[at] === closer && endsText(text, at + 1, as))) {
    const escape = text[at] === '\\' ? escapeAt(text, at) : undefined;
    if (escape !== undefined) {
      parts.push(text.slice(from, at), escape.value);
      from = at + escape.length;
    }
    at = endOf(plain, { text, at: escape === undefined ? at + 1 : from });
  }
  if (at >= text.length) reading.isOpen = true;
  reading.at = Math.min(text.length, at + 1);
  return parts.join('') + text.slice(from, at);
}

/** What stands between three quotes and three more, as Python writes a text of several lines. */
function textInThree(reading: Reading): string | undefined {
  const { text, at } = reading;
  const quotes = ['"""', "'''"].find((three) => text.startsWith(three, at));
  const end = quotes === undefined ? -1 : text.indexOf(quotes, at + 3);
  if (end < 0) return undefined;
  reading.at = end + 3;
  return text.slice(at + 3, end);
}

/** By the quote that ends a text: what needs no closer look. */
const plainUntil: ReadonlyMap<string, RegExp> = new Map(
  [...closers.values()].map((closer) => [closer, new RegExp(`[^\\\\${closer}]*`, 'y')]),
);

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** An escape that JSON does not know is a backslash and its letter, as in the regular expression it was copied from. */
function escapeAt(text: string, at: number): { readonly value: string; readonly length: number } {
  const code = /^\\u([0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[1];
  if (code !== undefined) return { value: String.fromCharCode(Number.parseInt(code, 16)), length: 6 };
  const letter = text.charAt(at + 1);
  return { value: escapes[letter] ?? `\\${letter}`, length: 2 };
}

/** Whether what follows a quote shows that it ended the text. */
function endsText(text: string, at: number, as: 'key' | 'value'): boolean {
  const next = endOf(blank, { text, at });
  const character = text.charAt(next);
  if (as === 'key') return character === '' || character === ':';
  if (character === ',') return canFollowComma(text, next + 1);
  // What comes on a line of its own lacks a comma before it.
  if (closers.has(character) || isBareKey(text, next)) return text.slice(at, next).includes('\n');
  return character === '' || character === '}' || character === ']' || commentEnd(text, next) !== undefined;
}

function isBareKey(text: string, at: number): boolean {
  const end = endOf(shortWord, { text, at });
  return end > at && text[end] === ':';
}

const shortWord = /[A-Za-z_$][\w$]{0,40}/y;

/** A value, a key, an end, or a remark; words without quotes only where something of JSON follows them. */
function canFollowComma(text: string, at: number): boolean {
  const next = endOf(blank, { text, at });
  const wordEnd = endOf(shortWord, { text, at: next });
  if (wordEnd > next) return /[,:}\]]/.test(text.charAt(endOf(blank, { text, at: wordEnd })));
  return /^(?:$|["'“‘`{[}\]\d/-]|\.\.\.)/.test(text.slice(next, next + 3));
}

const identifier = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;

function bareKey(reading: Reading): string {
  const end = endOf(identifier, reading);
  if (end === reading.at) throw new NotJson();
  const key = reading.text.slice(reading.at, end);
  reading.at = end;
  return key;
}

const untilDelimiter = /[^,}\]\r\n]*/y;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
  ['NaN', null],
]);

/** A number, a word of JSON, JavaScript or Python, or words that lack their quotes. */
function bareValue(reading: Reading): unknown {
  const line = reading.text.slice(reading.at, endOf(untilDelimiter, reading));
  const remark = line.search(/\s\/[/*]/);
  const said = remark < 0 ? line : line.slice(0, remark);
  const written = said.trim();
  if (written === '' || written.startsWith(':')) throw new NotJson();
  reading.at += said.length;
  endsHere(reading); // of a number the rest may be missing
  if (words.has(written)) return words.get(written);
  return /^-?\d{1,20}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/.test(written) ? Number(written) : written;
}

function endOf(pattern: RegExp, { text, at }: Pick<Reading, 'text' | 'at'>): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}
