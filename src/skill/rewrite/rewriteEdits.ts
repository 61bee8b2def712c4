import { applyEdits } from '../edits/applyEdits.js';
import type { Edit } from '../edits/edit.js';
import { anySize } from '../edits/hunksOfEdits.js';
import { isBlank, lineNumbers } from '../document/lines.js';
import { parseSkill, type SkillDocument, type SkillSize } from '../document/skillDocument.js';
import { textOf } from '../document/span.js';
import { anchoredBlocks, type AnchoredBlock } from './anchoredBlocks.js';
import { changedBlocks, rows } from './changedBlocks.js';
import { plainOf, readRewrite, type RewriteRefusal, type RewrittenLines } from './rewrittenText.js';

/** An edit that is part of a rewrite, and the headings that its place stands under, the nearest first. */
export interface RewriteEdit {
  readonly edit: Edit;
  readonly headings: readonly string[];
}

export interface RewrittenSkill {
  readonly kind: 'edits';
  /** In the order of the document; applied one after the other they make its text. */
  readonly edits: readonly RewriteEdit[];
  /** The rewritten text, with line feeds. */
  readonly text: string;
}

/** What is said of a change that the summary of its rewrite gives no reason for. */
export const partOfRewrite = 'Part of a rewrite.';

export interface RewriteLimits {
  /** How many edits it may become. */
  readonly most: number;
  /** How long the document may become; a longer text is not even compared. */
  readonly allowed: SkillSize;
}

/**
 * A rewritten document as edits, one for each changed block, at most `most` of them. Applying them to the document gives
 * the rewritten text; each finds its place whether or not the others were applied. A rewrite that is too long, or loses
 * the front matter or a protected part, is refused as a whole; what else is unlawful about a block, `applyEdits` says of
 * its edit.
 */
export function rewriteEdits(
  document: SkillDocument,
  rewritten: string,
  { most, allowed }: RewriteLimits,
): RewrittenSkill | RewriteRefusal {
  const before = parseSkill(plainOf(document.text));
  const lines = readRewrite(before, rewritten, allowed);
  if ('kind' in lines) return lines;
  if (isBlank(textOf(before.text, before.body))) return allNew(before, lines);
  const blocks = anchoredBlocks(lines, changedBlocks(lines), most);
  const headings = headingsOf(lines.after);
  const edits: RewriteEdit[] = [];
  let current = before;
  for (const [at, block] of blocks.entries()) {
    const expected = [...lines.after.slice(0, block.after.end), ...lines.before.slice(block.before.end)].join('\n');
    const { edit, next } = editFor({ before, current }, { lines, block, above: blocks[at - 1], expected });
    edits.push({ edit, headings: headings(block.core?.after.start ?? block.after.start) });
    current = next;
  }
  return { kind: 'edits', edits, text: lines.after.join('\n') };
}

/** A body that held nothing: all of it is one addition. */
function allNew(before: SkillDocument, { after, parts }: RewrittenLines): RewrittenSkill {
  const content = parts.flatMap((part) => rows(after, part.after)).join('\n');
  const edit: Edit = { op: 'append', content, rationale: partOfRewrite };
  const { text } = applied(before, edit);
  return { kind: 'edits', edits: [{ edit, headings: [] }], text };
}

interface PlacedBlock {
  readonly lines: RewrittenLines;
  readonly block: AnchoredBlock;
  readonly above: AnchoredBlock | undefined;
  /** The text once the block is changed. */
  readonly expected: string;
}

/** The plainest edit that makes exactly this change and finds its place without those above, and the document after it. */
function editFor(
  { before, current }: { readonly before: SkillDocument; readonly current: SkillDocument },
  placed: PlacedBlock,
): { readonly edit: Edit; readonly next: SkillDocument } {
  for (const edit of plainEdits(placed)) {
    const next = applied(current, edit);
    const isFound = current === before || applied(before, edit).text !== before.text;
    if (next.text === placed.expected && isFound) return { edit, next };
  }
  const { lines, block } = placed;
  const [anchor, content] = [rows(lines.before, block.before).join('\n'), rows(lines.after, block.after).join('\n')];
  const edit: Edit = { op: 'replace', anchor, content, rationale: partOfRewrite };
  return { edit, next: applied(current, edit) };
}

/** A deletion or an addition where the block is one: with the lines around it, it would read as if they changed too. */
function plainEdits({ lines, block: { core }, above }: PlacedBlock): readonly Edit[] {
  if (core === undefined) return [];
  const [old, current] = [rows(lines.before, core.before), rows(lines.after, core.after)];
  if (current.every(isBlank) && !old.every(isBlank)) {
    return [{ op: 'delete', anchor: old.join('\n'), rationale: partOfRewrite }];
  }
  const part = lines.parts.find(({ before }) => before.start <= core.before.start && core.before.end <= before.end);
  if (!old.every(isBlank) || part === undefined) return [];
  const first = Math.max(part.before.start, above?.before.end ?? 0);
  const anchor = rows(lines.before, { start: first, end: core.before.start }).findLast((line) => !isBlank(line));
  const said = { content: current.join('\n'), rationale: partOfRewrite };
  return [
    ...(anchor === undefined ? [] : [{ op: 'insert_after' as const, anchor, ...said }]),
    ...(core.before.end >= part.before.end ? [{ op: 'append' as const, ...said }] : []),
  ];
}

/** What is long or code may be made so here: the limits of a run come when the edits are applied in it. */
function applied(document: SkillDocument, edit: Edit): SkillDocument {
  return applyEdits(document, [edit], { scope: 'body', code: 'allowed', sizeBudget: anySize }).document;
}

/** The headings above a line, the nearest first, each of a higher rank than the one before it. */
function headingsOf(lines: readonly string[]): (line: number) => readonly string[] {
  const { text, headings } = parseSkill(lines.join('\n'));
  const lineOf = lineNumbers(text);
  const placed = headings.map(({ span, depth, text: said }) => ({
    line: lineOf(span.start),
    depth,
    said,
  }));
  return (line) => {
    const above: string[] = [];
    let depth = Number.POSITIVE_INFINITY;
    for (const heading of placed.toReversed()) {
      if (heading.line > line || heading.depth >= depth) continue;
      above.push(heading.said);
      depth = heading.depth;
    }
    return above;
  };
}
