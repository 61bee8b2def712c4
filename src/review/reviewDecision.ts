import type { ProposedEdit } from '../ports/proposal.js';
import { linesWithBreaks, withLineFeeds } from '../skill/document/lines.js';

/** How a decided edit was decided. */
export type EditDecision =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reason: string | undefined }
  | { readonly kind: 'edited' };

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

const listMark = /^(?:[-*+>]|\d+[.)])\s+/;

/** The lines of a text that say something, each without indentation and the mark of its list, which formatters rewrite. */
export function bareLines(text: string): readonly string[] {
  return linesWithBreaks(withLineFeeds(text))
    .map((line) => line.trim().replace(listMark, ''))
    .filter((line) => line !== '');
}
