import { closeDownTo, type OpenItem, type Scan } from './blockScan.js';
import {
  isThematicBreak,
  readFenceOpener,
  readHeading,
  readHtmlStart,
  readListMarker,
  readUnderline,
  type HtmlBlock,
} from './blockStarts.js';
import type { LineCursor } from './lineCursor.js';

const opensBlock = /^[#`~<>=*_+\d-]/; // what a heading, a fence, HTML, an underline, a break, a quote or an item begins with
const deepestNesting = 64; // keeps a line of a million markers linear; nobody reads a list this deep

/**
 * Opens whatever the rest of the line opens, containers first. `matched` is how many of the open containers the line
 * belongs to.
 */
export function openBlocks(scan: Scan, cursor: LineCursor, matched: number): 'leaf' | 'container' | 'nothing' {
  let opened: 'container' | 'nothing' = 'nothing';
  let kept = matched;
  for (;;) {
    if (cursor.isBlank() || kept >= deepestNesting) return opened;
    if (cursor.ahead().indent > 3) return openIndentedCode(scan, kept, opened);
    if (!opensBlock.test(cursor.rest())) return opened;
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
    cursor.takeQuoteMark();
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
