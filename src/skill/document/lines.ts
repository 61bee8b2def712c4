import type { Span } from './span.js';

export type Eol = '\n' | '\r\n' | '\r';

/** One line: `start` to `end` is its text, `end` to `next` is what ends it (nothing on a last line without line break). */
export interface Line extends Span {
  readonly next: number;
}

/** Every line in order. A line break at the very end starts no further line, so an empty text has no line. */
export function* eachLine(text: string, from = 0): Generator<Line> {
  const nextFrom = text.includes('\r') ? lineFrom : lineFedFrom;
  let start = from;
  while (start < text.length) {
    const line = nextFrom(text, start);
    yield line;
    start = line.next;
  }
}

/** The line that holds the character at `offset`; at the end of the text, the last line or an empty one after it. */
export function lineAt(text: string, offset: number): Line {
  let start = offset;
  while (start > 0 && !endsLine(text, start)) start -= 1;
  return lineFrom(text, start);
}

/** The lines with their line breaks: joined, they are the text. */
export function linesWithBreaks(text: string): string[] {
  if (text.includes('\r')) return Array.from(eachLine(text), (line) => text.slice(line.start, line.next));
  const lines: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
  }
  return lines;
}

export function countLines(text: string): number {
  let count = 0;
  if (text.includes('\r')) for (const _ of eachLine(text)) count += 1;
  else for (let start = 0; start < text.length; count += 1) start = text.indexOf('\n', start) + 1 || text.length;
  return count;
}

/** Tells the number, from 0, of the line that holds an offset. Of a text with line feeds only. */
export function lineNumbers(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  };
}

/** Every line break as `\n`: the terms in which anchors are compared. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/** `text` with every line break written as `eol`. */
export function withEol(text: string, eol: Eol): string {
  const normal = withLineFeeds(text);
  return eol === '\n' ? normal : normal.replaceAll('\n', eol);
}

/** The line break that most lines end in; of equals the first one seen; `\n` where there is none. */
export function readEol(text: string): { readonly eol: Eol; readonly mixed: boolean } {
  if (!text.includes('\r')) return { eol: '\n', mixed: false };
  const counts = new Map<Eol, number>();
  for (const line of eachLine(text)) {
    if (line.next > line.end) {
      const eol = eolOf(text.slice(line.end, line.next));
      counts.set(eol, (counts.get(eol) ?? 0) + 1);
    }
  }
  let best: Eol = '\n';
  let most = 0;
  for (const [eol, count] of counts) {
    if (count > most) [best, most] = [eol, count];
  }
  return { eol: best, mixed: counts.size > 1 };
}

/** Without its leading and trailing blank lines; indentation and trailing spaces of the rest stay. Line feeds only. */
export function withoutOuterBlankLines(text: string): string {
  const lines = text.split('\n');
  let first = 0;
  let last = lines.length;
  while (first < last && isBlank(lines[first] ?? '')) first += 1;
  while (last > first && isBlank(lines[last - 1] ?? '')) last -= 1;
  return lines.slice(first, last).join('\n');
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

function eolOf(text: string): Eol {
  return text === '\r\n' || text === '\r' ? text : '\n';
}

const lineEnd = /\r\n|[\r\n]/g;

function lineFrom(text: string, start: number): Line {
  lineEnd.lastIndex = start;
  const found = lineEnd.exec(text);
  if (found === null) return { start, end: text.length, next: text.length };
  return { start, end: found.index, next: found.index + found[0].length };
}

/** The same in a text without carriage returns, which a document is parsed for after each of its edits. */
function lineFedFrom(text: string, start: number): Line {
  const end = text.indexOf('\n', start);
  return end < 0 ? { start, end: text.length, next: text.length } : { start, end, next: end + 1 };
}

/** True where a line break ends just before `offset`; between the two halves of a `\r\n` none does. */
function endsLine(text: string, offset: number): boolean {
  const before = text[offset - 1];
  return before === '\n' || (before === '\r' && text[offset] !== '\n');
}
