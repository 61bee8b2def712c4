import type { ProposedDocument } from '../ports/proposal.js';
import { withLineFeeds } from '../skill/document/lines.js';
import { alignedHunks } from '../skill/edits/alignedHunks.js';
import type { EditHunk } from '../skill/edits/editHunks.js';
import { movedRange } from '../skill/edits/hunks.js';

/** What a proposal changes where nobody has decided yet: the text it stands on, the text it makes of it, and who made what. */
export interface ProposalTexts {
  readonly base: string;
  readonly proposed: string;
  /** By edit id: what each edit changes between these two texts. */
  readonly hunks: Readonly<Record<string, readonly EditHunk[]>>;
}

/** A text as two documents of the editor are compared: line feeds only and no byte order mark, as the editor has neither. */
export function plainText(text: string): string {
  return withLineFeeds(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** The texts of a document as it was proposed. */
export function textsOf({ baseText, candidateText, edits }: ProposedDocument): ProposalTexts {
  return {
    base: plainText(baseText),
    proposed: plainText(candidateText),
    hunks: Object.fromEntries(edits.map(({ id, hunks }) => [id, hunks])),
  };
}

/** The same changes on texts that went on since: what was written above them or into them moves them, and nothing else. */
export function movedTexts(from: ProposalTexts, to: Pick<ProposalTexts, 'base' | 'proposed'>): ProposalTexts {
  const [inBase, inProposed] = [alignedHunks(from.base, to.base), alignedHunks(from.proposed, to.proposed)];
  if (inBase.length + inProposed.length === 0) return { ...to, hunks: from.hunks };
  const moved = Object.entries(from.hunks).map(([id, hunks]) => {
    const there = hunks.map(({ before, after }) => ({
      before: movedRange(before, inBase),
      after: movedRange(after, inProposed),
    }));
    return [id, there] as const;
  });
  return { ...to, hunks: Object.fromEntries(moved) };
}
