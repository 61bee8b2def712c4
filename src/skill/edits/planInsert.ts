import { isThematicBreak, readListMarker } from '../document/blockStarts.js';
import { isBlank, lineAt, withEol } from '../document/lines.js';
import type { ListItem } from '../document/markdownStructure.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, textOf, type Span } from '../document/span.js';
import type { NotAppliedReason, Splice } from './splice.js';

/**
 * Puts content at the end of the body, before the protected blocks that end it. A list item joins a list that stands
 * there; anything else gets a blank line before it. Whether the file ends in a line break stays as it was. Refused where the
 * end is inside a code fence.
 */
export function planAppend(document: SkillDocument, content: string): Splice | NotAppliedReason {
  const { text, body, eol } = document;
  const limit = startOfTrailingBlocks(document);
  const at = body.start + text.slice(body.start, limit).trimEnd().length;
  const openFence = findOpenFence(document, at);
  if (openFence !== undefined) return openFence;
  const isBeforeBlock = limit < text.length;
  if (at === body.start) {
    return {
      start: at,
      end: limit,
      text: gapAtStart(document) + withEol(content, eol) + eol + (isBeforeBlock ? eol : ''),
    };
  }
  const breaks = text.slice(at, limit).match(/\r\n?|\n/g)?.length ?? 0;
  const missing = isBeforeBlock ? eol.repeat(Math.max(0, 2 - breaks)) : '';
  const isTight = joinsList(document, lineAt(text, at - 1).end, content);
  return { start: at, end: at, text: (isTight ? eol : eol + eol) + withEol(content, eol) + missing };
}

/**
 * Puts content after the line of the anchor, or after the whole paragraph or list item that the line belongs to, so that
 * neither is torn apart. Inside a code fence: after the line. After a fence's opener: refused, the place is not clear.
 */
export function planInsertAfter(document: SkillDocument, anchor: Span, content: string): Splice | NotAppliedReason {
  const { text, eol } = document;
  const offset = anchor.end - 1;
  const line = lineAt(text, offset);
  const fence = document.fences.find(({ span }) => span.start <= offset && offset < span.end);
  if (fence !== undefined && offset < fence.body.start) {
    return { kind: 'refused', reason: 'code-fence', detail: 'The anchor ends on the line that opens a code fence.' };
  }
  if (fence !== undefined && contains(fence.body, { start: offset, end: offset })) {
    return { start: line.end, end: line.end, text: eol + withEol(content, eol) };
  }
  if (isTableRow(text.slice(line.start, line.end)) && isTableRow(content)) {
    return insertion(document, line.end, content, true);
  }
  const items = document.items.filter(({ span }) => span.start <= offset && offset < span.end);
  return items.length > 0 ? afterItem(document, items, offset, content) : afterBlock(document, offset, content);
}

/** Why nothing can be added at `offset`: it would be code. */
export function findOpenFence(document: SkillDocument, offset: number): NotAppliedReason | undefined {
  const isOpen = document.fences.some(({ closed, span }) => !closed && span.start < offset && offset <= span.end);
  if (!isOpen) return undefined;
  return { kind: 'refused', reason: 'code-fence', detail: 'The document ends in a code fence that is not closed.' };
}

/** What goes before the first content of an empty body: a blank line below front matter, nothing without. */
export function gapAtStart({ text, body, frontMatter, eol }: SkillDocument): string {
  if (frontMatter === undefined) return '';
  return /[\r\n]/.test(text.charAt(body.start - 1)) ? eol : eol + eol;
}

/** Where the protected blocks begin that only white space separates from the end; the end where there are none. */
function startOfTrailingBlocks({ text, regions }: SkillDocument): number {
  let limit = text.length;
  for (const region of regions.toReversed()) {
    if (region.kind !== 'keep' && region.span.end <= limit && isBlank(text.slice(region.span.end, limit)))
      limit = region.span.start;
  }
  return limit;
}

/** `items` are those that hold the anchor, outermost first. */
function afterItem(document: SkillDocument, items: readonly ListItem[], offset: number, content: string): Splice {
  const indent = indentOf(content);
  const innermost = items.at(-1);
  if (innermost === undefined || (indent > 0 && (!isItem(content) || indent > innermost.indent))) {
    return afterBlock(document, offset, content);
  }
  if (!isItem(content)) return insertion(document, items[0]?.span.end ?? offset, content, false);
  const sibling = (indent > 0 ? items.findLast((item) => item.indent <= indent) : undefined) ?? innermost;
  const shifted = indented(content, Math.max(0, sibling.indent - indent));
  return insertion(document, sibling.span.end, shifted, !isLoose(document, sibling));
}

function afterBlock(document: SkillDocument, offset: number, content: string): Splice {
  const { text, eol, items } = document;
  const block = [...document.paragraphs, ...document.headings].find(
    ({ span }) => span.start <= offset && offset < span.end,
  );
  const point = lineAt(text, block === undefined ? offset : block.span.end - 1).end;
  const isNested = indentOf(content) > 0;
  const below = items.find(({ span, level }) => level === 0 && span.start >= point);
  if (isItem(content) && !isNested && below !== undefined && isBlank(text.slice(point, below.span.start))) {
    const start = lineAt(text, below.span.start).start;
    const gap = isLoose(document, below) ? eol + eol : eol;
    return { start, end: start, text: withEol(indented(content, below.indent), eol) + gap };
  }
  return insertion(document, point, content, isNested && isItem(content));
}

function insertion(document: SkillDocument, lineEnd: number, content: string, isTight: boolean): Splice {
  const { text, eol } = document;
  const next = lineAt(text, lineEnd).next;
  const isFollowed = next < text.length && !isBlank(textOf(text, lineAt(text, next)));
  const before = isTight ? eol : eol + eol;
  return { start: lineEnd, end: lineEnd, text: before + withEol(content, eol) + (isFollowed && !isTight ? eol : '') };
}

/** True where content is a list item, and a tight list ends with this line. */
function joinsList(document: SkillDocument, lineEnd: number, content: string): boolean {
  const before = document.items.findLast(({ span, level }) => level === 0 && span.end === lineEnd);
  return isItem(content) && before !== undefined && !isLoose(document, before);
}

/** True where a blank line separates the item from a neighbour of its list. */
function isLoose({ text, items }: SkillDocument, item: ListItem): boolean {
  const level = items.filter((each) => each.level === item.level);
  const at = level.indexOf(item);
  const gaps = [
    [level[at - 1], item],
    [item, level[at + 1]],
  ] as const;
  return gaps.some(([before, after]) => {
    const gap = before === undefined || after === undefined ? '' : text.slice(before.span.end, after.span.start);
    return isBlank(gap) && (gap.match(/\r\n?|\n/g)?.length ?? 0) > 1;
  });
}

function isItem(content: string): boolean {
  const line = content.trimStart().split('\n', 1)[0] ?? '';
  return readListMarker(line) !== undefined && !isThematicBreak(line);
}

function isTableRow(line: string): boolean {
  return line.trimStart().startsWith('|');
}

function indentOf(content: string): number {
  return /^[ \t]*/.exec(content)?.[0].length ?? 0;
}

function indented(content: string, columns: number): string {
  return columns === 0 ? content : content.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}
