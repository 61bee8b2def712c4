import type { Claim } from '../../gate/statistics/certification.js';
import { onlyShortens } from '../../skill/edits/onlyShortens.js';
import type { Candidate } from '../candidate.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';

interface ClaimInput {
  readonly original: Candidate;
  readonly candidate: Candidate;
  readonly memory: { readonly before: string | undefined; readonly after: string | undefined };
  readonly scores: HeldOutScores | undefined;
  /** The text that selection compared, where the candidate is only a part of it. */
  readonly selected?: Candidate | undefined;
}

/**
 * What a certification is to show. A shorter text that selection did not find better claims to be no worse; where no
 * selection looked at it, only one that takes words out and puts none in does. Everything else claims a gain.
 */
export function claimFor({ original, candidate, memory, scores, selected = candidate }: ClaimInput): Claim {
  const before = wholeText(original, memory.before);
  const after = wholeText(candidate, memory.after);
  if (after.length >= before.length) return 'better';
  const outcome = scores?.known(original, selected);
  if (outcome === undefined) return onlyShortens(before, after) ? 'not-worse' : 'better';
  return outcome === 'higher' ? 'better' : 'not-worse';
}

function wholeText({ text }: Candidate, memory: string | undefined): string {
  return memory === undefined ? text : `${text}\n${memory}`;
}
