import { isBlank, lineAt, type Line } from '../document/lines.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, type Span } from '../document/span.js';
import type { Splice } from './splice.js';

const bareMarker = /^\s*(?:[*+-]|\d{1,9}[.)]|#{1,6}|>)\s*$/;

/**
 * Takes the span out, and with it what would be left over: the line if nothing else is on it, the bullet before it, one of
 * two blank lines that would meet. Inside a code fence only whole lines and exact text go.
 */
export function planDelete(document: SkillDocument, span: Span): Splice {
  const { text, body } = document;
  const first = lineAt(text, span.start);
  const last = lineAt(text, Math.max(span.start, span.end - 1));
  const lineStart = Math.max(first.start, body.start);
  const head = text.slice(lineStart, span.start);
  const isInFence = document.fences.some((fence) => contains(fence.body, span));
  const isMarkerLeft = !isInFence && bareMarker.test(head) && !itemGoesOn(document, lineStart, last);
  if (isBlank(text.slice(span.end, last.end)) && (isBlank(head) || isMarkerLeft)) {
    const lines = { start: lineStart, end: last.next };
    return { ...(isInFence ? lines : withoutDoubleBlank(document, lines)), text: '' };
  }
  return { ...(isInFence ? span : withoutDoubleSpace(text, span, last)), text: '' };
}

/** True where a list item that begins on the line has more lines after `last`: they still need its bullet. */
function itemGoesOn(document: SkillDocument, lineStart: number, last: Line): boolean {
  return document.items.some(({ span }) => span.start >= lineStart && span.start < last.end && span.end > last.end);
}

function withoutDoubleBlank(document: SkillDocument, lines: Span): Span {
  const { text, body } = document;
  let { start, end } = lines;
  const isFirst = start === body.start && document.frontMatter === undefined;
  if (isFirst || isBlankLineBefore(text, start, body.start)) {
    while (end < text.length && isBlankLine(text, end)) end = lineAt(text, end).next;
  }
  if (end === text.length) {
    while (isBlankLineBefore(text, start, body.start)) start = lineAt(text, start - 1).start;
  }
  return { start, end };
}

function isBlankLineBefore(text: string, start: number, bodyStart: number): boolean {
  return start > bodyStart && isBlankLine(text, start - 1);
}

function isBlankLine(text: string, offset: number): boolean {
  const line = lineAt(text, offset);
  return isBlank(text.slice(line.start, line.end));
}

function withoutDoubleSpace(text: string, span: Span, last: Line): Span {
  let { start, end } = span;
  const isAfterSpace = isSpace(text[start - 1]);
  if (end === last.end) {
    while (isSpace(text[start - 1])) start -= 1;
  } else if (isAfterSpace && isSpace(text[end])) {
    end += 1;
  }
  return { start, end };
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
