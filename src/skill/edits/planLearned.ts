import type { Edit } from './edit.js';
import { findAnchor, shown } from './findAnchor.js';
import { readLearned, type LearnedBlock, type LearnedRule } from '../document/learnedBlock.js';
import { isBlank, withEol } from '../document/lines.js';
import { readBlocks } from '../document/markdownBlocks.js';
import { planDelete } from './planDelete.js';
import { findOpenFence, gapAtStart } from './planInsert.js';
import { learnedEnd, learnedStart, type ProtectedRegion } from '../document/protectedRegions.js';
import { normalRule } from './sameRule.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, textOf, type Span } from '../document/span.js';
import type { NotAppliedReason, Splice } from './splice.js';

/**
 * An edit of the learned block alone. Rules are whole list items: an anchor names one whole rule, never part of one; a
 * paragraph becomes a rule. The block stays where it is, with all that is not a rule; where there is none it is made at
 * the end of the document. `content` has line feeds only.
 */
export function planLearned(document: SkillDocument, edit: Edit): Splice | NotAppliedReason {
  if (document.regions.some(({ kind, state }) => kind === 'learned' && state !== 'closed')) {
    return refused('protected-region', 'The learned block lacks one of its two markers.');
  }
  if (edit.op === 'slow_update' || edit.op === 'appendix')
    return refused('outside-scope', 'Edits may change nothing but the learned block.');
  const block = readLearned(document);
  if (edit.op === 'append') return placeRules(document, block, { content: edit.content });
  const found = findRule(document, block, edit.anchor);
  if ('kind' in found) return found;
  if (edit.op === 'delete' || isBlank(edit.content)) return planDelete(document, found.span);
  const place = edit.op === 'replace' ? { replaced: found } : { before: found };
  return placeRules(document, block, { content: edit.content, ...place });
}

function findRule(
  document: SkillDocument,
  block: LearnedBlock | undefined,
  anchor: string,
): LearnedRule | NotAppliedReason {
  const wanted = normalRule(anchor);
  const [match, ...others] = block?.rules.filter(({ text }) => normalRule(text) === wanted) ?? [];
  if (match === undefined || wanted === '') return missing(document, block, anchor);
  if (others.length === 0) return match;
  const detail = `The learned block has the rule ${shown(anchor)} more than once.`;
  return { kind: 'unmatched', reason: 'anchor-ambiguous', detail };
}

function missing(document: SkillDocument, block: LearnedBlock | undefined, anchor: string): NotAppliedReason {
  const found = findAnchor(document.text, anchor);
  if ('kind' in found && (found.kind === 'refused' || found.reason === 'anchor-missing')) return found;
  const isInside = 'kind' in found || (block !== undefined && contains(block.region.inner, found));
  return isInside
    ? refused('not-list-item', `${shown(anchor)} is not one whole rule of the learned block.`)
    : refused('outside-scope', `${shown(anchor)} stands outside the learned block.`);
}

interface RulePlace {
  readonly content: string;
  readonly replaced?: LearnedRule;
  /** The rule to go after; the last one where it is missing. */
  readonly before?: LearnedRule;
}

function placeRules(
  document: SkillDocument,
  block: LearnedBlock | undefined,
  placing: RulePlace,
): Splice | NotAppliedReason {
  const { eol } = document;
  const list = asList(placing.content);
  if (list === undefined) return refused('not-list-item', 'A rule is one list item or one paragraph.');
  const others = block?.rules.filter((rule) => rule !== placing.replaced) ?? [];
  const added = rulesOf(list);
  if (others.some(({ text }) => added.includes(normalRule(text)))) {
    return refused('duplicate', 'The learned block has this rule already.');
  }
  const text = withEol(list, eol);
  if (placing.replaced !== undefined) return { ...placing.replaced.span, text };
  if (block === undefined) return newBlock(document, text);
  const before = placing.before ?? block.rules.at(-1);
  if (before === undefined) return firstRule(document, block.region, text);
  return { start: before.span.end, end: before.span.end, text: eol + text };
}

function firstRule({ text, eol }: SkillDocument, { inner }: ProtectedRegion, rule: string): Splice {
  const content = textOf(text, inner).trimEnd();
  const at = inner.start + content.length;
  const isFollowed = /^[ \t]*[\r\n]/.test(text.slice(at, inner.end));
  return { start: at, end: at, text: (content === '' ? eol : eol + eol) + rule + (isFollowed ? '' : eol) };
}

const heading = '## Learned preferences & procedures'; // as SkillOpt-Sleep writes it

function newBlock(document: SkillDocument, rule: string): Splice | NotAppliedReason {
  const { text, body, eol } = document;
  const at = body.start + text.slice(body.start).trimEnd().length;
  const openFence = findOpenFence(document, at);
  if (openFence !== undefined) return openFence;
  const isStart = at === body.start;
  const after = isStart && at === text.length ? eol : '';
  const block = [learnedStart, heading, '', rule, learnedEnd].join(eol);
  return { start: at, end: at, text: (isStart ? gapAtStart(document) : eol + eol) + block + after };
}

/** Content as list items with the bullet `-`; undefined where it is neither a list nor a single paragraph. */
function asList(content: string): string | undefined {
  const { items, paragraphs } = readBlocks(content);
  const top = items.filter(({ level }) => level === 0);
  if (top.length > 0 && isAllOf(content, top)) {
    const marks = top.map(({ span, marker }) => ({ start: span.start, end: span.start + marker.length }));
    return withSpans(content, marks, '-');
  }
  const isParagraph = paragraphs.length === 1 && isAllOf(content, paragraphs);
  return isParagraph ? `- ${content.trim().replaceAll('\n', '\n  ')}` : undefined;
}

/** True where nothing but white space lies outside these blocks. */
function isAllOf(content: string, blocks: readonly { readonly span: Span }[]): boolean {
  const spans = blocks.map(({ span }) => span);
  return isBlank(withSpans(content, spans, ''));
}

/** The content with something else in the place of each span; they come in order. */
function withSpans(content: string, spans: readonly Span[], instead: string): string {
  const ends = [0, ...spans.map(({ end }) => end)];
  const between = [...spans.map(({ start }) => start), content.length].map((start, at) =>
    content.slice(ends[at], start),
  );
  return between.join(instead);
}

function rulesOf(list: string): readonly string[] {
  return readBlocks(list)
    .items.filter(({ level }) => level === 0)
    .map(({ span }) => normalRule(textOf(list, span)));
}

function refused(
  reason: (NotAppliedReason & { readonly kind: 'refused' })['reason'],
  detail: string,
): NotAppliedReason {
  return { kind: 'refused', reason, detail };
}
