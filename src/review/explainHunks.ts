import type { ProposedEdit } from '../ports/proposal.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import type { EditScope } from '../skill/edits/edit.js';
import type { Hunk, LineRange } from '../skill/edits/hunks.js';
import { EditSubsets } from './editSubsets.js';
import type { ProposalTexts } from './proposalTexts.js';

/** A change of the untouched proposal with the edits that made it; none where no edit explains it. */
export interface ExplainedHunk {
  readonly hunk: Hunk;
  readonly edits: readonly ProposedEdit[];
}

/** Every change of the untouched proposal, who made which line of its two texts, and what can be chosen of it. */
export interface Explanation {
  readonly edits: readonly ProposedEdit[];
  readonly subsets: EditSubsets;
  readonly hunks: readonly ExplainedHunk[];
  /** By line: the edits that take it out of the base. */
  readonly base: LineMakers;
  /** By line: the edits that bring it into the proposal. */
  readonly proposed: LineMakers;
}

type LineMakers = ReadonlyMap<number, readonly ProposedEdit[]>;

/**
 * Which edit made which change, as the edits kept it from when they were applied. A change that was smuggled into a
 * proposal beside its edits is among the hunks of none, and stays unexplained.
 */
export function explainHunks(
  texts: ProposalTexts,
  edits: readonly ProposedEdit[],
  scope: EditScope = 'body',
): Explanation {
  const base = makersOf('before', texts, edits);
  const proposed = makersOf('after', texts, edits);
  const hunks = alignedHunks(texts.base, texts.proposed).map((hunk) => {
    const found = new Set([...makersIn(hunk.before, base), ...makersIn(hunk.after, proposed)]);
    return { hunk, edits: edits.filter((edit) => found.has(edit)) };
  });
  // They were lawful for the run that proposed them.
  const subsets = new EditSubsets({ base: texts.base, edits, scope, code: 'allowed' });
  return { edits, subsets, hunks, base, proposed };
}

function makersOf(side: 'before' | 'after', { hunks }: ProposalTexts, edits: readonly ProposedEdit[]): LineMakers {
  const makers = new Map<number, ProposedEdit[]>();
  for (const edit of edits) {
    for (const { [side]: range } of hunks[edit.id] ?? []) {
      for (let line = range.start; line < range.end; line += 1) makers.set(line, [...(makers.get(line) ?? []), edit]);
    }
  }
  return makers;
}

function makersIn({ start, end }: LineRange, makers: LineMakers): readonly ProposedEdit[] {
  return Array.from({ length: end - start }, (_, at) => makers.get(start + at) ?? []).flat();
}
