import type { ProposedEdit } from '../../ports/proposal.js';
import { linesWithBreaks, withLineFeeds } from '../../skill/lines.js';
import type { EditDecision } from '../../workshop/workshop.js';

/** Why a person may not want an edit; what they choose is told to the optimizer. */
export const rejectionReasons = ['wrong', 'too long', 'overfitted', 'unsafe', 'already said'] as const;

/**
 * What became of an edit that is no longer open, read from the file: its words are there (accepted), some of them are
 * (edited), or none (rejected). Reverted blocks and typing have no other word for what the person meant.
 */
export function decisionSeen({ edit }: ProposedEdit, real: string): EditDecision {
  const kept = edit.op === 'delete' ? [] : wordsOf(edit.content);
  if (kept.length === 0) {
    const gone = 'anchor' in edit && !real.includes(withLineFeeds(edit.anchor).trim());
    return gone ? { kind: 'accepted' } : { kind: 'rejected', reason: undefined };
  }
  const present = kept.filter((line) => real.includes(line)).length;
  if (present === kept.length) return { kind: 'accepted' };
  return present > 0 ? { kind: 'edited' } : { kind: 'rejected', reason: undefined };
}

function wordsOf(text: string): readonly string[] {
  return linesWithBreaks(withLineFeeds(text))
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
