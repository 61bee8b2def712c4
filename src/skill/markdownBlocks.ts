import type { Span } from './span.js';
import { eachLine } from './lines.js';
import { LineCursor } from './lineCursor.js';
import {
  closesFence,
  isThematicBreak,
  readFenceOpener,
  readHeading,
  readHtmlStart,
  readListMarker,
  readUnderline,
  type HtmlBlock,
} from './blockStarts.js';

export interface Heading {
  readonly span: Span;
  readonly depth: number;
  readonly text: string;
}

/** A fenced code block, from its opener to its closer. An unclosed one reaches to the end of what holds it. */
export interface Fence {
  readonly span: Span;
  /** The lines between opener and closer. */
  readonly body: Span;
  readonly closed: boolean;
}

export interface Paragraph {
  readonly span: Span;
}

/** A list item with everything nested in it, without the blank lines after it. */
export interface ListItem {
  readonly span: Span;
  readonly marker: string;
  /** The column of its marker. */
  readonly indent: number;
  /** 0 for an item of an outer list, 1 for one nested in it, and so on. */
  readonly level: number;
}

export interface MarkdownBlocks {
  readonly headings: readonly Heading[];
  readonly fences: readonly Fence[];
  readonly paragraphs: readonly Paragraph[];
  /** In the order they begin: an item comes before those nested in it. */
  readonly items: readonly ListItem[];
}

/**
 * The block structure of a Markdown text, in one pass over its lines: time grows with the length of the text, whatever is
 * in it. Follows CommonMark's block rules; link definitions count as paragraphs. Offsets point into `text` and start at
 * `from`.
 */
export function readBlocks(text: string, from = 0): MarkdownBlocks {
  const scan: Scan = { text, containers: [], leaf: undefined, headings: [], fences: [], paragraphs: [], items: [] };
  for (const line of eachLine(text, from)) readLine(scan, new LineCursor(text, line));
  closeDownTo(scan, 0);
  return {
    headings: scan.headings,
    fences: scan.fences,
    paragraphs: scan.paragraphs,
    items: scan.items.map(({ start, end, marker, indent, level }) => ({ span: { start, end }, marker, indent, level })),
  };
}

interface OpenItem {
  readonly kind: 'item';
  readonly start: number;
  end: number;
  readonly marker: string;
  readonly indent: number;
  readonly level: number;
  /** Columns that a line must be indented by to belong to the item. */
  readonly contentIndent: number;
  hasContent: boolean;
}

type Container = OpenItem | { readonly kind: 'quote' };

type Leaf =
  | { readonly kind: 'paragraph'; readonly start: number; end: number }
  | { readonly kind: 'html'; readonly until: RegExp | undefined }
  | {
      readonly kind: 'fence';
      readonly start: number;
      readonly character: string;
      readonly length: number;
      readonly bodyStart: number;
      end: number;
    };

interface Scan {
  readonly text: string;
  readonly containers: Container[];
  leaf: Leaf | undefined;
  readonly headings: Heading[];
  readonly fences: Fence[];
  readonly paragraphs: Paragraph[];
  readonly items: OpenItem[];
}

function readLine(scan: Scan, cursor: LineCursor): void {
  const matched = matchContainers(scan, cursor);
  const isInside = matched === scan.containers.length;
  if (isInside && continueVerbatim(scan, cursor)) return;
  if (cursor.isBlank()) {
    closeDownTo(scan, matched);
    return;
  }
  const opened = openBlocks(scan, cursor, matched);
  if (opened !== 'leaf') addText(scan, cursor, opened === 'container' ? scan.containers.length : matched);
  markContent(scan, cursor.line.end, cursor.isBlank());
}

/** How many of the open containers the line belongs to; the cursor goes past their marks. */
function matchContainers(scan: Scan, cursor: LineCursor): number {
  let matched = 0;
  for (const container of scan.containers) {
    if (!belongs(container, cursor)) break;
    matched += 1;
  }
  return matched;
}

function belongs(container: Container, cursor: LineCursor): boolean {
  const { indent } = cursor.ahead();
  if (container.kind === 'quote') {
    if (indent > 3 || !cursor.rest().startsWith('>')) return false;
    takeQuoteMark(cursor);
    return true;
  }
  if (cursor.isBlank()) return container.hasContent;
  if (indent < container.contentIndent) return false;
  cursor.takeColumns(container.contentIndent);
  return true;
}

function takeQuoteMark(cursor: LineCursor): void {
  cursor.takeCharacters(1);
  cursor.takeColumns(1);
}

/** The next line of an open fence or HTML block. False where none is open, or a blank line ended it. */
function continueVerbatim(scan: Scan, cursor: LineCursor): boolean {
  const { leaf } = scan;
  if (leaf === undefined || leaf.kind === 'paragraph') return false;
  if (leaf.kind === 'fence') {
    continueFence(scan, leaf, cursor);
    return true;
  }
  if (leaf.until === undefined && cursor.isBlank()) return false;
  markContent(scan, cursor.line.end);
  if (leaf.until?.test(cursor.rest()) === true) scan.leaf = undefined;
  return true;
}

function continueFence(scan: Scan, fence: Leaf & { readonly kind: 'fence' }, cursor: LineCursor): void {
  const { line } = cursor;
  if (cursor.ahead().indent <= 3 && closesFence(cursor.rest(), fence)) {
    addFence(scan, fence, { bodyEnd: line.start, end: line.end, closed: true });
    scan.leaf = undefined;
  } else {
    fence.end = line.next;
  }
  if (!cursor.isBlank()) markContent(scan, line.end);
}

const deepestNesting = 64; // keeps a line of a million markers linear; nobody reads a list this deep

function openBlocks(scan: Scan, cursor: LineCursor, matched: number): 'leaf' | 'container' | 'nothing' {
  let opened: 'container' | 'nothing' = 'nothing';
  let kept = matched;
  for (;;) {
    if (cursor.isBlank() || kept >= deepestNesting) return opened;
    if (cursor.ahead().indent > 3) return openIndentedCode(scan, kept, opened);
    const next = openLeaf(scan, cursor, kept) ?? openContainer(scan, cursor, kept);
    if (next === undefined) return opened;
    if (next === 'leaf') return 'leaf';
    opened = 'container';
    kept = scan.containers.length;
  }
}

/** Indented code needs no record; but it cannot interrupt a paragraph, whose lazy continuation the line then is. */
function openIndentedCode<T>(scan: Scan, kept: number, opened: T): T | 'leaf' {
  if (scan.leaf?.kind === 'paragraph') return opened;
  closeDownTo(scan, kept);
  return 'leaf';
}

function openLeaf(scan: Scan, cursor: LineCursor, kept: number): 'leaf' | undefined {
  const rest = cursor.rest();
  if (rest.startsWith('>')) return undefined;
  const start = cursor.ahead().offset;
  const heading = readHeading(rest);
  if (heading !== undefined) {
    closeDownTo(scan, kept);
    scan.headings.push({ span: { start, end: start + rest.trimEnd().length }, ...heading });
    return 'leaf';
  }
  const fence = readFenceOpener(rest);
  if (fence !== undefined) {
    closeDownTo(scan, kept);
    const { next } = cursor.line;
    scan.leaf = { kind: 'fence', start, ...fence, bodyStart: next, end: next };
    return 'leaf';
  }
  if (openHtml(scan, rest, kept) || underline(scan, cursor, kept)) return 'leaf';
  if (!isThematicBreak(rest)) return undefined;
  closeDownTo(scan, kept);
  return 'leaf';
}

function openHtml(scan: Scan, rest: string, kept: number): boolean {
  const html: HtmlBlock | undefined = readHtmlStart(rest);
  if (html === undefined || (!html.interruptsParagraph && scan.leaf?.kind === 'paragraph')) return false;
  closeDownTo(scan, kept);
  const isWhole = html.until?.test(rest.slice(html.searchFrom)) === true;
  scan.leaf = isWhole ? undefined : { kind: 'html', until: html.until };
  return true;
}

/** A setext underline turns the open paragraph into a heading, if the line lies in the same container. */
function underline(scan: Scan, cursor: LineCursor, kept: number): boolean {
  const { leaf } = scan;
  if (leaf?.kind !== 'paragraph' || kept !== scan.containers.length) return false;
  const rest = cursor.rest();
  const depth = readUnderline(rest);
  if (depth === undefined) return false;
  const end = cursor.ahead().offset + rest.trimEnd().length;
  const text = scan.text.slice(leaf.start, leaf.end).trim();
  scan.headings.push({ span: { start: leaf.start, end }, depth, text });
  scan.leaf = undefined;
  return true;
}

function openContainer(scan: Scan, cursor: LineCursor, kept: number): 'container' | undefined {
  const rest = cursor.rest();
  if (rest.startsWith('>')) {
    closeDownTo(scan, kept);
    takeQuoteMark(cursor);
    scan.containers.push({ kind: 'quote' });
    return 'container';
  }
  const found = readListMarker(rest);
  const isInParagraph = scan.leaf?.kind === 'paragraph' && kept === scan.containers.length;
  if (found === undefined || (isInParagraph && !found.interrupts)) return undefined;
  closeDownTo(scan, kept);
  openItem(scan, cursor, found.marker);
  return 'container';
}

function openItem(scan: Scan, cursor: LineCursor, marker: string): void {
  const { indent, offset: start } = cursor.ahead();
  const column = cursor.column + indent;
  cursor.takeCharacters(marker.length);
  const isEmpty = cursor.isBlank();
  const spaces = cursor.ahead().indent;
  // Five or more columns after the marker are one column and indented code.
  const padding = isEmpty || spaces > 4 ? 1 : spaces;
  cursor.takeColumns(padding);
  const level = scan.containers.filter((container) => container.kind === 'item').length;
  const item: OpenItem = {
    kind: 'item',
    start,
    end: start + marker.length,
    marker,
    indent: column,
    level,
    contentIndent: indent + marker.length + padding,
    hasContent: !isEmpty,
  };
  scan.containers.push(item);
  scan.items.push(item);
}

/** Text that opens nothing: more of the open paragraph, lazily where its containers do not match, or a new one. */
function addText(scan: Scan, cursor: LineCursor, kept: number): void {
  if (cursor.isBlank()) return;
  const end = cursor.line.end;
  if (scan.leaf?.kind === 'paragraph') {
    scan.leaf.end = end;
    return;
  }
  closeDownTo(scan, kept);
  scan.leaf = { kind: 'paragraph', start: cursor.ahead().offset, end };
}

/** Closes the open leaf and every container beyond the first `kept`. */
function closeDownTo(scan: Scan, kept: number): void {
  const { leaf } = scan;
  if (leaf?.kind === 'paragraph') {
    const end = leaf.start + scan.text.slice(leaf.start, leaf.end).trimEnd().length;
    scan.paragraphs.push({ span: { start: leaf.start, end } });
  }
  if (leaf?.kind === 'fence') addFence(scan, leaf, { bodyEnd: leaf.end, end: leaf.end, closed: false });
  scan.leaf = undefined;
  scan.containers.length = kept;
}

function addFence(
  scan: Scan,
  fence: Leaf & { readonly kind: 'fence' },
  closing: { readonly bodyEnd: number; readonly end: number; readonly closed: boolean },
): void {
  scan.fences.push({
    span: { start: fence.start, end: closing.end },
    body: { start: fence.bodyStart, end: closing.bodyEnd },
    closed: closing.closed,
  });
}

/** The line belongs to every open item. `isBareMarker`: it is nothing but the marker of the innermost one. */
function markContent(scan: Scan, end: number, isBareMarker = false): void {
  for (const container of scan.containers) {
    if (container.kind === 'quote') continue;
    container.end = end;
    if (!isBareMarker || container !== scan.containers.at(-1)) container.hasContent = true;
  }
}
