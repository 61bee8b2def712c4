import { withCandidate } from '../../engine/front/proposedCandidates.js';
import { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { named } from '../../engine/makeProposal.js';
import { noteDecisions, readDecisions, removeDecisions } from '../../storage/proposals/decisions.js';
import { readProposal, writeProposal } from '../../storage/proposals/proposals.js';
import type { OpenSkill, SkillPlace } from '../openSkill.js';
import { boundEdits } from './chosenPart.js';
import { pendingOf, type PendingProposal } from './pending.js';

/** The proposal of this person that waits; what was made elsewhere is none. */
export async function waitingProposal(skill: OpenSkill): Promise<Proposal> {
  const reading = await readProposal(skill.store);
  if (reading.kind === 'verified') return reading.proposal;
  throw new UserError('proposal-missing', 'No proposal of yours waits for this skill.', 'Optimize the skill first.');
}

/** The proposal with that candidate of it in front. */
export function candidateOf(proposal: Proposal, name: string): Proposal {
  const id = name.trim().toUpperCase();
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
    : new UserError('usage', `There is no candidate “${name}”.`, `It has: ${names.join(', ')}.`);
}

/**
 * Puts another candidate in front, to be reviewed and adopted. It stays `unmeasured` unless it was certified; the one that
 * was in front keeps what was measured of it. Edits no file, and gives up decisions on the edits of the other.
 */
export async function chooseCandidate(skill: OpenSkill, id: string): Promise<Proposal> {
  const before = await waitingProposal(skill);
  const found = candidateOf(before, id);
  if (found === before) return before;
  const proposal = withReturn(found, before);
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

/** Remembers which candidate was in front: taking this one back puts it there again. */
function withReturn({ id: _id, ...found }: Proposal, before: Proposal): Proposal {
  const { candidates } = found;
  if (candidates === undefined || before.candidates === undefined) return named(found);
  const insteadOf = before.candidates.insteadOf ?? {
    candidate: before.candidates.proposed.id,
    proposalId: before.id,
  };
  if (insteadOf.candidate === candidates.proposed.id) return { ...found, id: insteadOf.proposalId };
  return named({ ...found, candidates: { ...candidates, insteadOf } });
}

/** Adopts another candidate than the one in front. Where nothing comes of it, all is as before. */
export async function adoptCandidate<Result>(
  skill: OpenSkill,
  id: string,
  adopt: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const before = await waitingProposal(skill);
  const decisions = await readDecisions(skill.store, before.id);
  await chooseCandidate(skill, id);
  try {
    return await adopt();
  } catch (error) {
    // A refusal: the file was not written.
    if (error instanceof UserError) {
      await writeProposal(skill.store, before);
      if (Object.keys(decisions).length > 0) await noteDecisions(skill.store, before.id, decisions, signal);
    }
    throw error;
  }
}

/**
 * Puts the candidate back in front that one was adopted in the place of, once that adoption is undone and nothing of it is
 * in the skill any more; gives its name then. `undone` is the proposal whose adoption it was.
 */
export async function putCandidateBack({ store }: SkillPlace, undone: string | undefined): Promise<string | undefined> {
  const reading = await readProposal(store);
  if (reading.kind !== 'verified') return undefined;
  const { proposal } = reading;
  const insteadOf = proposal.candidates?.insteadOf;
  const decided = Object.values(await readDecisions(store, proposal.id));
  if (insteadOf === undefined || proposal.id !== undone || decided.some(({ kind }) => kind !== 'rejected'))
    return undefined;
  await removeDecisions(store);
  // The very one: its name is a hash of bytes whose order the disk does not keep.
  await writeProposal(store, { ...candidateOf(proposal, insteadOf.candidate), id: insteadOf.proposalId });
  return insteadOf.candidate;
}

/** What waits as if that candidate were in front, to be looked at; undefined where nothing waits. */
export async function pendingCandidate(skill: OpenSkill, id: string): Promise<PendingProposal | undefined> {
  const pending = await pendingOf(skill);
  if (pending === undefined) return undefined;
  const proposal = candidateOf(pending.proposal, id);
  if (proposal === pending.proposal) return pending;
  return { ...pending, proposal, bound: proposal.documents.flatMap(boundEdits), decisions: {} };
}
