import type { ProposedEdit } from '../ports/proposal.js';
import { findAnchor } from '../skill/edits/findAnchor.js';
import type { Hunk, LineRange } from '../skill/edits/hunks.js';
import { countLines, withLineFeeds } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import { bareLines } from './reviewDecision.js';

/** What the proposal changes where nobody has touched it yet: the text it was made from, and the text it makes of it. */
export interface Ground {
  readonly base: string;
  readonly proposed: string;
}

/** A change of the untouched proposal with the edits that made it; none where no edit explains it. */
export interface ExplainedHunk {
  readonly hunk: Hunk;
  readonly edits: readonly ProposedEdit[];
  /** True where it brings words that none of its edits says. */
  readonly saysMore: boolean;
}

const tellingLength = 4; // shorter lines (fences, rules, bare bullets) stand everywhere and tell nothing

/**
 * Which edit made which change, found by what the edits say and where their anchors stand. It does not apply the edits
 * again, so a change that was smuggled into a proposal beside its edits stays unexplained.
 */
export function explainHunks(ground: Ground, edits: readonly ProposedEdit[]): readonly ExplainedHunk[] {
  const hunks = alignedHunks(ground.base, ground.proposed);
  const makers = new Map(hunks.map((hunk) => [hunk, [] as ProposedEdit[]]));
  for (const edit of edits) {
    for (const hunk of hunksMadeBy(edit, hunks, ground.base)) makers.get(hunk)?.push(edit);
  }
  return hunks.map((hunk) => {
    const found = makers.get(hunk) ?? [];
    return { hunk, edits: found, saysMore: saysMore(hunk, found) };
  });
}

function saysMore(hunk: Hunk, edits: readonly ProposedEdit[]): boolean {
  const said = wordsIn([hunk.beforeText, ...edits.flatMap(({ edit }) => wordsOf(edit))].join('\n'));
  return [...wordsIn(hunk.afterText)].some((word) => !said.has(word));
}

// Chinese and Japanese put no space between words: there every character counts as one.
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}])+/gu;

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(word));
}

function hunksMadeBy(proposed: ProposedEdit, hunks: readonly Hunk[], base: string): readonly Hunk[] {
  const place = anchorLines(proposed, base);
  const matching = hunks.filter((hunk) => showsIn(proposed, hunk));
  if (place === undefined) return proposed.edit.op === 'append' ? matching.slice(-1) : matching;
  switch (proposed.edit.op) {
    case 'append':
      return matching.slice(-1);
    case 'insert_after':
      return matching.filter(({ before }) => before.end >= place.start).slice(0, 1);
    case 'replace':
    case 'delete': {
      const near = hunks.filter(({ before }) => before.start <= place.end && place.start <= before.end);
      const inside = near.filter((hunk) => matching.includes(hunk));
      return inside.length > 0 ? inside : near.length > 0 ? near : matching;
    }
  }
}

/** Which lines of the base the anchor covers; undefined where it stands in the words of an earlier edit. */
export function anchorLines({ edit }: ProposedEdit, base: string): LineRange | undefined {
  if (edit.op === 'append') return undefined;
  const found = findAnchor(base, edit.anchor);
  if ('kind' in found) return undefined;
  return { start: countLines(base.slice(0, found.start + 1)) - 1, end: countLines(base.slice(0, found.end)) };
}

function showsIn({ edit }: ProposedEdit, hunk: Hunk): boolean {
  const added = edit.op === 'delete' ? [] : tellingLines(edit.content);
  const removed = edit.op === 'delete' || edit.op === 'replace' ? tellingLines(edit.anchor) : [];
  return added.some((line) => hunk.afterText.includes(line)) || removed.some((line) => hunk.beforeText.includes(line));
}

function tellingLines(text: string): readonly string[] {
  const lines = bareLines(text);
  const telling = lines.filter((line) => line.length >= tellingLength);
  return telling.length > 0 ? telling : lines;
}

/** Of several edits behind one change, those that speak of this line; all of them where none does. */
export function editsBehindLine(edits: readonly ProposedEdit[], line: string): readonly ProposedEdit[] {
  const text = line.trim();
  if (edits.length < 2 || text === '') return edits;
  const speaking = edits.filter(({ edit }) => wordsOf(edit).some((words) => withLineFeeds(words).includes(text)));
  return speaking.length > 0 ? speaking : edits;
}

function wordsOf(edit: ProposedEdit['edit']): readonly string[] {
  return [...('anchor' in edit ? [edit.anchor] : []), ...('content' in edit ? [edit.content] : [])];
}
