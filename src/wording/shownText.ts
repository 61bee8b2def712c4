import { eachInvisible, type FoundCharacter } from '../skill/edits/visibleText.js';

/** Text that a view may show as it is: nothing in it acts but what we put there ourselves. */
export type ShownText = string & { readonly [shown]: true };

declare const shown: unique symbol;

const longestText = 4_000; // characters; nobody reads more in a message, and a server may send megabytes

/**
 * Text of any origin, so that everything in it is seen: what is invisible, steers a terminal or turns the reading direction is
 * written out as `‹U+200B›`. For places that show text as it is, such as a question in a dialog or a plain tooltip.
 */
export function visibleText(text: string, most = longestText): string {
  const lines = cut(text, most).replaceAll('\r\n', '\n').replaceAll('\r', '‹U+000D›');
  return replaceInvisible(lines, ({ name }) => `‹${name}›`);
}

/** The same for what is to be run or obeyed to the letter: line breaks and tabs are written out too. */
export function exactText(text: string): string {
  return visibleText(text.replaceAll(/[\n\r\t]/g, (found) => breaks[found] ?? found));
}

/** The same as a word of a line that is typed: in quotation marks where a shell would read anything else in it. */
export function typedWord(text: string): string {
  const exact = exactText(text);
  if (/^[\p{L}\p{N}_./:@%+=,~\\-]+$/u.test(exact)) return exact;
  return /["$`]/.test(exact) ? `'${exact.replaceAll("'", `'\\''`)}'` : `"${exact}"`;
}

const breaks: Readonly<Record<string, string>> = { '\n': '‹U+000A›', '\r': '‹U+000D›', '\t': '‹U+0009›' };

/**
 * The same for places where VS Code looks for marks: a message makes a link of `[label](command:…)`, a label an icon of
 * `$(name)`. A space between the two signs keeps it from both.
 */
export function shownText(text: string, most = longestText): ShownText {
  return asShown(visibleText(text, most).replaceAll('](', '] (').replaceAll('$(', '$ ('));
}

/** The same on one line: for labels, lenses, rows and menus. */
export function shownLine(text: string, most = longestText): ShownText {
  const line = shownText(text).replaceAll(/\s+/g, ' ').trim();
  return asShown(line.length > most ? `${withoutHalf(line.slice(0, most - 1)).trimEnd()}…` : line);
}

const widestHead = 45; // of a letter each: a row of a side bar 300 pixels wide shows no more

/** The first words of a sentence, as a narrow row shows them whole: the rest stands in its tooltip. */
export function rowHead(sentence: string): string {
  const line = sentence.trim().replace(/[.。]$/, '');
  const start = fitting(line, widestHead);
  if (start === line) return line;
  const [, clause] = /^(.{6,}?)\s?[(（:：;；]/u.exec(start) ?? /^(.{6,})[,，]/u.exec(start) ?? [];
  return clause ?? `${fitting(line, widestHead - 1).replace(/\s+\S*$/u, '')}…`;
}

/** As many signs as have room; one that is a word by itself is as wide as two letters. */
function fitting(line: string, room: number): string {
  let width = 0;
  return Array.from(line)
    .filter((sign) => (width += wide.test(sign) ? 2 : 1) <= room)
    .join('');
}

const wide = /[\u1100-\u115f\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u;

/** An icon of ours and a text of any origin, for a menu or the status bar. */
export function iconLabel(icon: string, text: string): ShownText {
  return asShown(`$(${icon}) ${shownLine(text)}`);
}

/** The same for a lens: the editor swallows a plain space after an icon. */
export function withIcon(icon: string, text: string): ShownText {
  return asShown(`$(${icon})\u00a0${shownLine(text)}`);
}

const punctuation = /[!-/:-@[-`{-~]/g;
const longestPassage = 2_000;

/**
 * Text of any origin as Markdown that shows exactly that text: no link, no image, no HTML and no icon comes of it, whatever
 * it says. Line breaks stay.
 */
export function asMarkdown(text: string): string {
  // Icons are looked for after Markdown has taken its backslashes: only the space keeps one from appearing.
  return shownText(text, longestPassage)
    .split('\n')
    .map((line) => line.trim().replaceAll(punctuation, String.raw`\$&`))
    .join('  \n');
}

/** The text with every character that nobody would see written as `write` says. */
export function replaceInvisible(text: string, write: (character: FoundCharacter) => string): string {
  let [written, done] = ['', 0];
  for (const found of eachInvisible(text)) {
    written += text.slice(done, found.start) + write(found);
    done = found.end;
  }
  return written + text.slice(done);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${withoutHalf(text.slice(0, most))}…` : text;
}

/** The first half of a character whose second half was cut off. */
function withoutHalf(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}

function asShown(text: string): ShownText {
  if (!isShown(text)) throw new TypeError('not a text');
  return text;
}

/** The one place where the mark of the type is given. */
function isShown(text: string): text is ShownText {
  return typeof text === 'string';
}
