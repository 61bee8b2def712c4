import { messageOf, UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { adopt } from '../../storage/adoption/adopt.js';
import { removeDecisions } from '../../storage/proposals/decisions.js';
import { readProposal, removeProposal } from '../../storage/proposals/proposals.js';
import type { OpenSkill } from '../openSkill.js';

export interface AutoAdoption {
  readonly adopted: boolean;
  /** What was done or why not, as a sentence. */
  readonly sentence: string;
}

/**
 * Adopts what was just staged, for a skill whose owner said beforehand that this may be done without them. Only what
 * is certified on fresh attempts with no task getting worse, whole, and onto exactly the bytes that it was made from.
 */
export async function adoptUnattended(
  skill: OpenSkill,
  proposal: Proposal,
  noRegression: boolean,
  signal: AbortSignal,
): Promise<AutoAdoption> {
  const certified = proposal.verdict.kind === 'accepted' && proposal.verdict.figures.rule === 'confident';
  if (!certified || !noRegression) {
    return {
      adopted: false,
      sentence: 'Not adopted by itself: that needs a certification with no task getting worse.',
    };
  }
  try {
    await adopt(skill.store, { reading: await readProposal(skill.store), attended: false }, signal);
    await removeProposal(skill.store);
    await removeDecisions(skill.store);
    return {
      adopted: true,
      sentence: `Adopted without asking, as you chose for ${skill.name}. “Undo Last Adoption” takes it back.`,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { adopted: false, sentence: `Not adopted by itself: ${messageOf(error)} ${error.cure}` };
  }
}
