import { isBlank, lineAt, withEol } from '../document/lines.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, type Span } from '../document/span.js';
import type { Splice } from './splice.js';

const marker = /^([ \t]*)(?:([*+-]|\d{1,9}[.)])|(#{1,6})|(>))[ \t]/;

/**
 * Puts content in the place of the span. Where the anchor left out the bullet, hash or indentation before it and the
 * content brings its own, there is one of them afterwards and not two. Inside a code fence nothing is adapted.
 */
export function planReplace(document: SkillDocument, span: Span, content: string): Splice {
  const { text, eol } = document;
  if (document.fences.some((fence) => contains(fence.body, span))) return { ...span, text: withEol(content, eol) };
  const lineStart = Math.max(lineAt(text, span.start).start, document.body.start);
  const head = text.slice(lineStart, span.start);
  const indent = /^[ \t]*/.exec(head)?.[0] ?? '';
  const isIndented = /^[ \t]/.test(content);
  if (isBlank(head) ? isIndented : isSameMarker(head, content)) {
    const start = isIndented ? lineStart : lineStart + indent.length;
    return { start, end: span.end, text: withEol(content, eol) };
  }
  return { ...span, text: withEol(isBlank(head) ? withIndent(content, indent) : content, eol) };
}

/** True where `head` is nothing but a marker, and content begins with one of the same kind. */
function isSameMarker(head: string, content: string): boolean {
  const ours = marker.exec(`${head} `);
  const theirs = marker.exec(content);
  if (ours === null || theirs === null || !isBlank(head.slice(ours[0].length))) return false;
  return [2, 3, 4].every((group) => (ours[group] === undefined) === (theirs[group] === undefined));
}

/** The lines after the first get the indentation that the first one stands at, unless they have it already. */
function withIndent(content: string, indent: string): string {
  const [first = '', ...rest] = content.split('\n');
  const isShallow = rest.some((line) => !isBlank(line) && !line.startsWith(indent));
  if (!isShallow) return content;
  return [first, ...rest.map((line) => (isBlank(line) ? line : indent + line))].join('\n');
}
