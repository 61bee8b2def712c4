import { lineAt } from '../document/lines.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { eachInvisible } from '../edits/visibleText.js';
import type { LintFinding, LintFix } from './lintFinding.js';
import { textOf, type Span } from '../document/span.js';

const mostLines = 100; // a file that hides more is hiding something: nobody reads the hundred-and-first
const mostNamed = 5;

/** Characters of a skill that agents read and nobody sees: one finding for each line that holds some. */
export function lintInvisible({ text, hasBom }: SkillDocument): readonly LintFinding[] {
  return unseenLines(text, hasBom ? 1 : 0).map(({ line, names, spans }) => {
    const span = { start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 };
    return {
      rule: 'invisible-text',
      severity: 'error',
      message: `Line ${line} holds ${listOf(names)}, which nobody sees and agents read. Delete what does not belong there.`,
      span,
      fix: fixOf(text, span, spans),
    };
  });
}

interface UnseenLine {
  /** The first line is 1. */
  readonly line: number;
  /** Each once, in the order they stand there. */
  readonly names: readonly string[];
  readonly spans: readonly Span[];
}

function unseenLines(text: string, from: number): readonly UnseenLine[] {
  const lines: { line: number; end: number; names: Set<string>; spans: Span[] }[] = [];
  const count = lineCounter(text);
  for (const { name, start, end } of eachInvisible(text)) {
    if (start < from) continue;
    let open = lines.at(-1);
    if (open === undefined || start >= open.end) {
      if (lines.length === mostLines) break;
      open = { line: count(start), end: lineAt(text, start).next, names: new Set(), spans: [] };
      lines.push(open);
    }
    open.names.add(name);
    open.spans.push({ start, end });
  }
  return lines.map(({ line, names, spans }) => ({ line, names: [...names], spans }));
}

/** Gives the number of the line of each offset; asked in the order of the text, it reads the text once. */
function lineCounter(text: string): (offset: number) => number {
  let [line, next] = [1, lineAt(text, 0).next];
  return (offset) => {
    for (; next <= offset && next < text.length; line += 1) next = lineAt(text, next).next;
    return line;
  };
}

function listOf(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function fixOf(text: string, span: Span, unseen: readonly Span[]): LintFix {
  let [kept, at] = ['', span.start];
  for (const { start, end } of unseen) [kept, at] = [kept + text.slice(at, start), end];
  return {
    title: 'Delete the characters that nobody sees',
    span,
    text: kept + textOf(text, { start: at, end: span.end }),
  };
}
