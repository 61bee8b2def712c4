import type { RefusedReason } from '../edits/edit.js';
import type { LineRange } from '../edits/hunks.js';
import { findExcess } from '../edits/sizeBudget.js';
import { readFrontMatter } from '../document/frontMatter.js';
import { isBlank, lineNumbers, withLineFeeds, withoutOuterBlankLines } from '../document/lines.js';
import { parseSkill, sizeOf, type SkillDocument, type SkillSize } from '../document/skillDocument.js';
import { textOf } from '../document/span.js';

/** Two parts of a document, before and after a rewrite, between which nothing protected stands. */
export interface FreePart {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Both texts line by line, without line breaks, and the parts of them that edits may change. */
export interface RewrittenLines {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly parts: readonly FreePart[];
}

export interface RewriteRefusal {
  readonly kind: 'refused';
  readonly reason: RefusedReason;
  readonly detail: string;
}

/** A text as rewrites are compared: line feeds only, no byte order mark. */
export function plainOf(text: string): string {
  return withLineFeeds(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** Why a text is no rewrite that could be taken: it is longer than the document may become. Looks at nothing else of it. */
function findTooLong(written: string, allowed: SkillSize): RewriteRefusal | undefined {
  const body = written.slice(readFrontMatter(written, 0)?.next ?? 0);
  const excess = findExcess(sizeOf(body), allowed);
  return excess === undefined ? undefined : refused('size-budget', `The rewrite is too long. ${excess}`);
}

/**
 * What a rewrite makes of a document. Front matter and every protected or kept part must be in it as they were. How many
 * blank lines stand at its ends and beside such parts says nothing and stays as it was.
 */
export function readRewrite(
  before: SkillDocument,
  rewritten: string,
  allowed: SkillSize,
): RewrittenLines | RewriteRefusal {
  const plain = withoutOuterBlankLines(plainOf(rewritten));
  const tooLong = findTooLong(plain, allowed);
  if (tooLong !== undefined) return tooLong;
  const written = parseSkill(plain);
  if (isBlank(textOf(written.text, written.body))) return refused('empty', 'The rewrite is empty.');
  if (frontMatterOf(before) !== frontMatterOf(written)) {
    const isLost = written.frontMatter === undefined;
    return refused(
      'front-matter',
      isLost ? 'The rewrite loses the front matter.' : 'The rewrite changes the front matter.',
    );
  }
  const head = before.text.slice(0, before.body.start).replace(/(?<=[^\n])$/, '\n');
  const after = parseSkill(`${head}${textOf(written.text, written.body)}`);
  const lost = findLost(before, after);
  if (lost !== undefined) return lost;
  return withOldGaps(linesOf(before.text), linesOf(after.text), freeParts(before, after));
}

function frontMatterOf({ text, frontMatter }: SkillDocument): string | undefined {
  return frontMatter && textOf(text, frontMatter.span).trimEnd();
}

/** Why the rewrite must not be taken: a part that only its owner writes is gone, changed, moved before another, or new. */
function findLost(before: SkillDocument, after: SkillDocument): RewriteRefusal | undefined {
  const [old, current] = [guardedTexts(before), guardedTexts(after)];
  const lost = old.find(({ text }, at) => current[at]?.text !== text);
  if (lost === undefined && current.length === old.length) return undefined;
  if (lost === undefined) return refused('marker', 'The rewrite makes the marker of a protected region.');
  if (lost.kind === 'keep')
    return refused('kept-region', 'The rewrite loses or changes a part that is marked to be kept.');
  const detail = `The rewrite loses or changes the ${lost.kind} block, which only its own stage writes.`;
  return refused('protected-region', detail);
}

function guardedTexts(document: SkillDocument) {
  const lines = linesOf(document.text);
  return guardedLines(document).map(({ kind, start, end }) => ({ kind, text: lines.slice(start, end).join('\n') }));
}

/** The lines that protected regions stand on, those that meet as one. */
function guardedLines({ text, regions }: SkillDocument) {
  const ranges: (LineRange & { readonly kind: string })[] = [];
  const lineOf = lineNumbers(text);
  for (const { kind, span } of regions) {
    const start = lineOf(span.start);
    // White space at the end of a text is nobody's, also where a region has no end of its own.
    const end = lineOf(Math.max(span.start, span.start + textOf(text, span).trimEnd().length - 1)) + 1;
    const last = ranges.at(-1);
    if (last === undefined || start >= last.end) ranges.push({ kind, start, end });
    else ranges[ranges.length - 1] = { ...last, end: Math.max(last.end, end) };
  }
  return ranges;
}

function freeParts(before: SkillDocument, after: SkillDocument): readonly FreePart[] {
  const [old, current] = [before, after].map((document) => {
    const edges = guardedLines(document).flatMap(({ start, end }) => [start, end]);
    return [lineNumbers(document.text)(document.body.start), ...edges, linesOf(document.text).length];
  });
  const parts: FreePart[] = [];
  for (let at = 0; at + 1 < (old?.length ?? 0); at += 2) {
    const range = (edges: readonly number[] = []): LineRange => ({ start: edges[at] ?? 0, end: edges[at + 1] ?? 0 });
    parts.push({ before: range(old), after: range(current) });
  }
  return parts;
}

/** The new lines with the blank ones at both ends of each part as they were, and the parts without them. */
function withOldGaps(
  before: readonly string[],
  written: readonly string[],
  parts: readonly FreePart[],
): RewrittenLines {
  const after: string[] = [];
  const add = (lines: readonly string[], start: number, end?: number): void => {
    for (const line of lines.slice(start, end)) after.push(line);
  };
  const trimmed: FreePart[] = [];
  let from = 0;
  for (const part of parts) {
    const [old, said] = [filled(before, part.before), filled(written, part.after)];
    add(written, from, part.after.start);
    add(before, part.before.start, old.start);
    const start = after.length;
    add(written, said.start, said.end);
    trimmed.push({ before: old, after: { start, end: after.length } });
    add(before, old.end, part.before.end);
    from = part.after.end;
  }
  add(written, from);
  return { before, after, parts: trimmed };
}

/** The range without the blank lines at its ends; of blank lines alone, nothing behind the first. */
function filled(lines: readonly string[], { start, end }: LineRange): LineRange {
  let [first, last] = [start, end];
  while (first < last && isBlank(lines[first] ?? '')) first += 1;
  if (first === last) return { start: Math.min(start + 1, end), end: Math.min(start + 1, end) };
  while (last > first && isBlank(lines[last - 1] ?? '')) last -= 1;
  return { start: first, end: last };
}

/** The lines of a text without their breaks. A break at its end leaves an empty line behind: joined, they are the text. */
function linesOf(text: string): readonly string[] {
  return text.split('\n');
}

function refused(reason: RefusedReason, detail: string): RewriteRefusal {
  return { kind: 'refused', reason, detail };
}
