import type { ProposedEdit } from '../../ports/proposal.js';
import type { EditDecision } from '../../app/useCases.js';
import { bareLines } from './bareLines.js';

/** Why a person may not want an edit; what they choose is told to the optimizer. */
export const rejectionReasons = ['wrong', 'too long', 'overfitted', 'unsafe', 'already said'] as const;

/**
 * What became of an edit that is no longer open, read from the file: its words are there (accepted), some of them are
 * (edited), or none (rejected). Reverted blocks and typing have no other word for what the person meant.
 */
export function decisionSeen({ edit }: ProposedEdit, real: string): EditDecision {
  const kept = edit.op === 'delete' ? [] : bareLines(edit.content);
  if (kept.length === 0) {
    const gone = 'anchor' in edit && !holds(real, bareLines(edit.anchor));
    return gone ? { kind: 'accepted' } : { kind: 'rejected', reason: undefined };
  }
  const present = kept.filter((line) => real.includes(line)).length;
  if (present === kept.length) return { kind: 'accepted' };
  return present > 0 ? { kind: 'edited' } : { kind: 'rejected', reason: undefined };
}

/** True where all the lines stand in the text, one after the other. */
function holds(text: string, lines: readonly string[]): boolean {
  return bareLines(text).join('\n').includes(lines.join('\n'));
}
