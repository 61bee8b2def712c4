import { withCandidate } from '../../engine/front/proposedCandidates.js';
import { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { removeDecisions } from '../../storage/proposals/decisions.js';
import { readProposal, writeProposal } from '../../storage/proposals/proposals.js';
import type { OpenSkill } from '../openSkill.js';

/** The proposal of this person that waits; what was made elsewhere is none. */
export async function waitingProposal(skill: OpenSkill): Promise<Proposal> {
  const reading = await readProposal(skill.store);
  if (reading.kind === 'verified') return reading.proposal;
  throw new UserError('proposal-missing', 'No proposal of yours waits for this skill.', 'Optimize the skill first.');
}

/** The proposal with that candidate of it in front. */
export function candidateOf(proposal: Proposal, id: string): Proposal {
  const found = withCandidate(proposal, id);
  if (found !== undefined) return found;
  const { proposed, others = [] } = proposal.candidates ?? {};
  const names = [...(proposed === undefined ? [] : [proposed]), ...others].map((each) => each.id).sort();
  throw names.length === 0
    ? new UserError(
        'usage',
        'The waiting proposal has no other candidates.',
        'A run leaves some where it chooses by more than the score (choice.measures).',
      )
    : new UserError('usage', `There is no candidate “${id}”.`, `It has: ${names.join(', ')}.`);
}

/**
 * Puts another candidate in front, to be reviewed and adopted. It stays `unmeasured` unless it was certified; the one that
 * was in front keeps what was measured of it. Edits no file, and gives up decisions on the edits of the other.
 */
export async function chooseCandidate(skill: OpenSkill, id: string): Promise<Proposal> {
  const before = await waitingProposal(skill);
  const proposal = candidateOf(before, id);
  if (proposal === before) return before;
  const document = before.documents.find(({ kind }) => kind === 'skill');
  if (document?.baseHash !== skill.hash) {
    throw new UserError(
      'proposal-stale',
      'The skill has changed since this proposal was made.',
      'Optimize the skill again.',
    );
  }
  await removeDecisions(skill.store);
  await writeProposal(skill.store, proposal);
  return proposal;
}
