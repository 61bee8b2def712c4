import { certificationAlpha } from '../../../gate/statistics/certification.js';
import { wholeErrorBudget } from '../../../gate/statistics/errorBudget.js';
import { statedPrices } from '../../models/serverCosts.js';
import { budgetAhead } from '../certificationStore.js';
import { measurePriceOf, type MeasurePrice } from '../measure.js';
import { waitingProposal } from '../../proposals/chooseCandidate.js';
import { asBegun, isFinished, openProposal } from '../resumeCertification.js';
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
  { world, skill, tasks, options }: RunSetup,
  candidate: string | undefined,
  signal: AbortSignal,
): Promise<CandidatePrice> {
  const proposal = await openProposal(skill, candidate);
  const document = proposal.documents.find(({ kind }) => kind === 'skill');
  const { baseText: before = skill.text, candidateText: after = skill.text } = document ?? {};
  const begun = asBegun(options, proposal);
  const input = { heldOut: tasks.result.split.heldOut, options: begun, prices: await statedPrices(world) };
  const { candidates } = proposal;
  const texts = { before, after, onTraining: candidates?.proposed.outcome, rule: candidates?.rule };
  const models = await world.models(signal);
  const { simulated } = models.target.identity;
  const { remaining } = await budgetAhead(skill.store, tasks.result, { simulated });
  return {
    id: candidates?.proposed.id ?? candidate,
    price: measurePriceOf(input, texts, models),
    share: certificationAlpha / wholeErrorBudget,
    left: remaining / wholeErrorBudget,
  };
}

/** Of every candidate that can be certified, by the same words as when one is about to be. */
export async function candidatePricesOf(setup: RunSetup, signal: AbortSignal): Promise<readonly CandidatePrice[]> {
  const { verdict, candidates } = await waitingProposal(setup.skill);
  if (candidates === undefined) return [];
  const all = [{ ...candidates.proposed, evidence: { verdict } }, ...candidates.others];
  const open = all.filter(({ evidence }) => !isFinished(evidence?.verdict.kind));
  return Promise.all(open.map(({ id }) => candidatePriceOf(setup, id, signal)));
}
