import type { TextPair } from '../../../engine/candidate.js';
import { certificationAlpha } from '../../../gate/statistics/certification.js';
import { wholeErrorBudget } from '../../../gate/statistics/errorBudget.js';
import { statedPrices } from '../../models/serverCosts.js';
import { budgetAhead } from '../certificationStore.js';
import { measureInputOf, measurePriceOf, type MeasurePrice } from '../bound/measureBound.js';
import { waitingProposal } from '../../proposals/chooseCandidate.js';
import { movedProposal } from '../../proposals/rebase.js';
import type { Proposal } from '../../../ports/proposal.js';
import { findMemoryFile } from '../memoryFile.js';
import { asBegun, isFinished, openProposal, proposedTexts } from '../resumeCertification.js';
import type { RunSetup } from '../runStart.js';

/** What it takes to certify a candidate, or to go on with the proposal that waits. */
export interface CandidatePrice {
  /** Undefined for the proposal of a run that has one candidate. */
  readonly id: string | undefined;
  /** Undefined where no model would be asked. */
  readonly price: MeasurePrice | undefined;
  /** Of the whole error budget, which certifications on these held-out tasks share: what this one takes, and what is left. */
  readonly share: number;
  readonly left: number;
}

/** Known before anything is spent. What cannot be certified is refused here already, not after its price. */
export async function candidatePriceOf(
  setup: RunSetup,
  candidate: string | undefined,
  signal: AbortSignal,
): Promise<CandidatePrice> {
  const proposal = await openProposal(setup.skill, candidate);
  return { ...(await proposalPriceOf(setup, proposal, signal)), id: proposal.candidates?.proposed.id ?? candidate };
}

/** Of the waiting proposal once it is moved onto the files as they are now. Moves nothing; refused where it cannot be. */
export async function rebasePriceOf(setup: RunSetup, signal: AbortSignal): Promise<CandidatePrice> {
  const { proposal } = await movedProposal(setup.skill);
  return { ...(await proposalPriceOf(setup, proposal, signal)), id: undefined };
}

/** Of a proposal as it is given, be it staged or not. */
async function proposalPriceOf(
  { world, skill, tasks, options }: RunSetup,
  proposal: Proposal,
  signal: AbortSignal,
): Promise<Omit<CandidatePrice, 'id'>> {
  const models = await world.models(signal);
  const begun = asBegun(options, proposal);
  const input = measureInputOf({ skill, tasks, options: begun }, { models, prices: await statedPrices(world) });
  const { candidates } = proposal;
  const texts = {
    ...(await textsOf({ skill, options: begun }, proposal)),
    onTraining: candidates?.proposed.outcome,
    rule: candidates?.rule,
    sealed: proposal.sealed === undefined ? tasks.result.split.sealed : [],
  };
  const { simulated } = models.target.identity;
  const { remaining } = await budgetAhead(skill.store, tasks.result, { simulated });
  return {
    price: await measurePriceOf(input, texts),
    share: certificationAlpha / wholeErrorBudget,
    left: remaining / wholeErrorBudget,
  };
}

/** With the memory file beside both, where a certification that waits may have been begun beside it. */
async function textsOf({ skill, options }: Pick<RunSetup, 'skill' | 'options'>, proposal: Proposal): Promise<TextPair> {
  const { before, after } = proposedTexts(skill, proposal);
  if (before.memory !== undefined || !options.consolidate.memory) return { before, after };
  const memory = (await findMemoryFile(skill.places))?.text;
  return { before: { ...before, memory }, after: { ...after, memory } };
}

/** Of every candidate that can be certified, by the same words as when one is about to be. */
export async function candidatePricesOf(setup: RunSetup, signal: AbortSignal): Promise<readonly CandidatePrice[]> {
  const { verdict, candidates } = await waitingProposal(setup.skill);
  if (candidates === undefined) return [];
  const all = [{ ...candidates.proposed, evidence: { verdict } }, ...candidates.others];
  const open = all.filter(({ evidence }) => !isFinished(evidence?.verdict.kind));
  return Promise.all(open.map(({ id }) => candidatePriceOf(setup, id, signal)));
}
