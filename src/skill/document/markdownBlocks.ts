import { addFence, closeDownTo, markContent, type Container, type Leaf, type Scan } from './blockScan.js';
import { closesFence } from './blockStarts.js';
import { LineCursor } from './lineCursor.js';
import { eachLine } from './lines.js';
import type { MarkdownBlocks } from './markdownStructure.js';
import { openBlocks } from './openBlocks.js';

/**
 * The block structure of a Markdown text, in one pass over its lines: time grows with the length of the text, whatever is
 * in it. Follows CommonMark's block rules; link definitions count as paragraphs. Offsets point into `text` and start at
 * `from`.
 */
export function readBlocks(text: string, from = 0): MarkdownBlocks {
  return readBlocksUpTo(text, from, () => false);
}

/** The same, up to the first line before which no block is open and which `isEnd` knows by where it begins. */
export function readBlocksUpTo(text: string, from: number, isEnd: (lineStart: number) => boolean): MarkdownBlocks {
  const scan: Scan = { text, containers: [], leaf: undefined, headings: [], fences: [], paragraphs: [], items: [] };
  const restarts: number[] = [];
  for (const line of eachLine(text, from)) {
    if (scan.leaf === undefined && scan.containers.length === 0) {
      if (isEnd(line.start)) break;
      restarts.push(line.start);
    }
    readLine(scan, new LineCursor(text, line));
  }
  closeDownTo(scan, 0);
  const { headings, fences, paragraphs } = scan;
  const items = scan.items.map(({ start, end, marker, indent, level }) => {
    return { span: { start, end }, marker, indent, level };
  });
  return { headings, fences, paragraphs, items, restarts };
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
    cursor.takeQuoteMark();
    return true;
  }
  if (cursor.isBlank()) return container.hasContent;
  if (indent < container.contentIndent) return false;
  cursor.takeColumns(container.contentIndent);
  return true;
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
