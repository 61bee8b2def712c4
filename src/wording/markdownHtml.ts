import { visibleText } from './shownText.js';

const longestText = 100_000; // characters of an answer
const deepest = 6; // lists and quotes inside each other

/**
 * Markdown by anybody as HTML that only shows it: headings, lists, tables, quotes and code look as meant; what is HTML, a
 * link or a picture in it is shown as text and does nothing.
 */
export function markdownHtml(text: string): string {
  return blocks(visibleText(text, longestText).split('\n'), 0);
}

/** Text of any origin inside an element or an attribute. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** What one kind of block takes from the lines at a place: its HTML, and where the next one begins. */
type Block = (lines: readonly string[], at: number, depth: number) => readonly [html: string, next: number] | undefined;

function blocks(lines: readonly string[], depth: number): string {
  const made: string[] = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at]?.trim() === '') {
      at += 1;
      continue;
    }
    const [html, next] = blockAt(lines, at, depth);
    made.push(html);
    at = next;
  }
  return made.join('\n');
}

function blockAt(lines: readonly string[], at: number, depth: number): readonly [string, number] {
  for (const block of depth < deepest ? kinds : flat) {
    const found = block(lines, at, depth);
    if (found !== undefined) return found;
  }
  return paragraph(lines, at);
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const headingLine = /^ {0,3}(#{1,6})(?: +|$)(.*)$/;
const ruleLine = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const quoteLine = /^ {0,3}> ?(.*)$/;
const itemLine = /^( *)(?:([-*+])|(\d{1,9})[.)]) +(.*)$/;
const tableRule = /^\|?(?: *:?-+:? *\|)+(?: *:?-+:?)?$/; // of a line without the spaces around it

const fenced: Block = (lines, at) => {
  const mark = fenceLine.exec(lines[at] ?? '')?.[1];
  if (mark === undefined) return undefined;
  const end = firstFrom(lines, at + 1, (line) => line.trim().startsWith(mark));
  const inside = lines.slice(at + 1, end);
  return [`<pre><code>${escapedHtml(inside.join('\n'))}</code></pre>`, end + 1];
};

const heading: Block = (lines, at) => {
  const found = headingLine.exec(lines[at] ?? '');
  if (found === null) return undefined;
  const level = Math.min(6, (found[1]?.length ?? 1) + 2); // the page has its own first two
  return [`<h${level}>${inline(found[2] ?? '')}</h${level}>`, at + 1];
};

const rule: Block = (lines, at) => (ruleLine.test(lines[at] ?? '') ? ['<hr>', at + 1] : undefined);

const quote: Block = (lines, at, depth) => {
  if (!quoteLine.test(lines[at] ?? '')) return undefined;
  const next = firstFrom(lines, at, (line) => !quoteLine.test(line));
  const inside = lines.slice(at, next).map((line) => quoteLine.exec(line)?.[1] ?? '');
  return [`<blockquote>${blocks(inside, depth + 1)}</blockquote>`, next];
};

interface Item {
  readonly indent: number;
  /** Undefined where it has a dot and no number. */
  readonly number: string | undefined;
  readonly text: string;
}

function itemIn(line: string | undefined): Item | undefined {
  const [, indent = '', , number, text = ''] = itemLine.exec(line ?? '') ?? [];
  return itemLine.test(line ?? '') ? { indent: indent.length, number, text } : undefined;
}

/** Items reach as far as the lines that are further in than their marks, or are empty between two such. */
const list: Block = (lines, at, depth) => {
  const first = itemIn(lines[at]);
  if (first === undefined) return undefined;
  const items: string[] = [];
  let next = at;
  for (let item = itemIn(lines[next]); item !== undefined && isLike(item, first); item = itemIn(lines[next])) {
    const end = firstFrom(lines, next + 1, (line, index) => endsItem(lines, line, index, first.indent));
    const inside = lines
      .slice(next + 1, end)
      .map((line) => line.slice(Math.min(first.indent + 2, line.search(/\S|$/))));
    items.push(`<li>${itemHtml([item.text, ...inside], depth)}</li>`);
    next = end;
  }
  return [listHtml(first.number, items), next];
};

function isLike(item: Item, first: Item): boolean {
  return item.indent === first.indent && (item.number === undefined) === (first.number === undefined);
}

function listHtml(number: string | undefined, items: readonly string[]): string {
  if (number === undefined) return `<ul>${items.join('')}</ul>`;
  return `<ol${number === '1' ? '' : ` start="${Number(number)}"`}>${items.join('')}</ol>`;
}

function endsItem(lines: readonly string[], line: string, index: number, indent: number): boolean {
  const isDeeper = (text: string): boolean => text.search(/\S|$/) > indent && text.trim() !== '';
  if (line.trim() === '') return !isDeeper(lines[index + 1] ?? '');
  return !isDeeper(line);
}

/** A single line needs no paragraph of its own. */
function itemHtml([first = '', ...rest]: readonly string[], depth: number): string {
  return rest.some((line) => line.trim() !== '') ? `${inline(first)}${blocks(rest, depth + 1)}` : inline(first);
}

const table: Block = (lines, at) => {
  const [head = '', under = ''] = [lines[at], lines[at + 1]];
  if (!head.includes('|') || !tableRule.test(under.trim())) return undefined;
  const next = firstFrom(lines, at + 2, (line) => !line.includes('|'));
  const body = lines.slice(at + 2, next).map((line) => rowHtml(line, 'td'));
  return [`<table><thead>${rowHtml(head, 'th')}</thead><tbody>${body.join('')}</tbody></table>`, next];
};

function rowHtml(line: string, cell: 'th' | 'td'): string {
  const cells = cellsOf(line).map((text) => `<${cell}>${inline(text)}</${cell}>`);
  return `<tr>${cells.join('')}</tr>`;
}

function cellsOf(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
}

const kinds: readonly Block[] = [fenced, heading, rule, quote, list, table];
const flat: readonly Block[] = [fenced, heading, rule, table];

/** Up to the next empty line, or to where something else begins. */
function paragraph(lines: readonly string[], at: number): readonly [string, number] {
  const next = firstFrom(lines, at + 1, (line) => line.trim() === '' || begins.some((start) => start.test(line)));
  const text = lines.slice(at, next).map((line) => line.trim());
  return [`<p>${text.map(inline).join('<br>')}</p>`, next];
}

const begins = [fenceLine, headingLine, quoteLine, itemLine];

function firstFrom(lines: readonly string[], from: number, is: (line: string, index: number) => boolean): number {
  let at = from;
  while (at < lines.length && !is(lines[at] ?? '', at)) at += 1;
  return at;
}

/** Code as it is; around it bold, slanted and struck out words. A link shows where it would lead. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? `<code>${escapedHtml(part.slice(1, -1))}</code>`
        : marked(escapedHtml(part)),
    )
    .join('');
}

function marked(html: string): string {
  return html
    .replaceAll(/!?\[([^[\]]*)\]\(([^()\s]*)\)/g, '$1 ($2)')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/__([^_]+)__/g, '<strong>$1</strong>')
    .replaceAll(/\*([^*\s][^*]*)\*/g, '<em>$1</em>')
    .replaceAll(/(?<![\p{L}\p{N}_])_([^_\s][^_]*)_(?![\p{L}\p{N}_])/gu, '<em>$1</em>')
    .replaceAll(/~~([^~]+)~~/g, '<del>$1</del>');
}
