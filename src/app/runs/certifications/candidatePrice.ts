import type { TextPair } from '../../../engine/candidate.js';
import { learnedLeaks, withoutLeaks } from '../../../engine/leakedTasks.js';
import { certificationAlpha } from '../../../gate/statistics/certification.js';
import { wholeErrorBudget } from '../../../gate/statistics/errorBudget.js';
import type { Proposal } from '../../../ports/proposal.js';
import type { HeldOutTask } from '../../../tasks/task.js';
import type { RoleModels } from '../../models/runModels.js';
import { waitingProposal } from '../../proposals/chooseCandidate.js';
import { movedProposal } from '../../proposals/rebase.js';
import { measureInputOf, measureSizeOf } from '../bound/measureBound.js';
import type { RunSize } from '../bound/runSize.js';
import { toldSizeOf, type ToldSize } from '../bound/toldSize.js';
import { findMemoryFile } from '../memoryFile.js';
import { asBegun, isFinished, openProposal, proposedTexts } from '../resumeCertification.js';
import type { RunSetup } from '../runStart.js';
import { certificationAhead, refuseEmptyBudget, type CertificationAhead } from './certificationAhead.js';

/** What it takes to certify a candidate, or to go on with the proposal that waits. */
export interface CandidatePrice {
  /** Undefined for the proposal of a run that has one candidate. */
  readonly id: string | undefined;
  /** Undefined where no model would be asked. */
  readonly price: ToldSize | undefined;
  /**
   * Of the whole error budget, which certifications on these held-out tasks share: what this one takes, and what is left.
   * One that goes on was paid for when it began and takes nothing.
   */
  readonly share: number;
  readonly left: number;
}

/** Which candidate is to be certified; the one that is proposed where none is named. */
export interface CandidateToPrice {
  readonly candidate?: string | undefined;
  /** The person starts the error budget afresh before it. */
  readonly refill?: boolean | undefined;
}

/** Known before anything is spent. What cannot be certified is refused here already, not after its price. */
export async function candidatePriceOf(
  setup: RunSetup,
  { candidate, refill }: CandidateToPrice,
  signal: AbortSignal,
): Promise<CandidatePrice> {
  const ahead = await aheadOf(setup, await openProposal(setup.skill, candidate), { signal, refill });
  await refuseEmptyBudget(setup, ahead.certification, ahead.heldOut);
  return { ...(await priceOf(ahead)), id: ahead.proposal.candidates?.proposed.id ?? candidate };
}

/** Of the waiting proposal once it is moved onto the files as they are now. Moves nothing; refused where it cannot be. */
export async function rebasePriceOf(setup: RunSetup, signal: AbortSignal): Promise<CandidatePrice> {
  const { proposal } = await movedProposal(setup.skill);
  const ahead = await aheadOf(setup, proposal, { signal });
  await refuseEmptyBudget(setup, ahead.certification, ahead.heldOut);
  return { ...(await priceOf(ahead)), id: undefined };
}

/** Of every candidate that can be certified, by the same words as when one is about to be. */
export async function candidatePricesOf(setup: RunSetup, signal: AbortSignal): Promise<readonly CandidatePrice[]> {
  const { verdict, candidates } = await waitingProposal(setup.skill);
  if (candidates === undefined) return [];
  const all = [{ ...candidates.proposed, evidence: { verdict } }, ...candidates.others];
  const open = all.filter(({ evidence }) => !isFinished(evidence?.verdict.kind));
  return Promise.all(
    open.map(async ({ id }) => {
      const ahead = await aheadOf(setup, await openProposal(setup.skill, id), { signal });
      return { ...(await priceOf(ahead)), id };
    }),
  );
}

/** What certifying a candidate of the waiting proposal takes, whatever caps say; undefined where no model is asked. */
export async function candidateSizeOf(
  setup: RunSetup,
  candidate: string | undefined,
  models: RoleModels,
): Promise<RunSize | undefined> {
  return (await proposalSizeOf(setup, await openProposal(setup.skill, candidate), models)).size;
}

/** A measurement that is about to begin. */
interface MeasuringAhead extends CandidateSetup {
  readonly proposal: Proposal;
  readonly models: RoleModels;
  readonly certification: CertificationAhead;
}

async function aheadOf(
  given: RunSetup,
  proposal: Proposal,
  { signal, refill }: { readonly signal: AbortSignal; readonly refill?: boolean | undefined },
): Promise<MeasuringAhead> {
  const models = await given.world.models(signal);
  const sized = await proposalSizeOf(given, proposal, models);
  const { setup, heldOut, texts } = sized;
  const pairs = [proposedTexts(setup.skill, proposal), texts];
  const certification = await certificationAhead(setup, { pairs, heldOut, models, refill });
  return { ...sized, proposal, models, certification };
}

async function priceOf({ setup, models, size, certification }: MeasuringAhead): Promise<Omit<CandidatePrice, 'id'>> {
  const { isPaid, budget } = certification;
  return {
    price: size === undefined ? undefined : await toldSizeOf(setup, models, { whole: size }),
    share: isPaid ? certificationAlpha / wholeErrorBudget : 0,
    left: budget.remaining / wholeErrorBudget,
  };
}

interface CandidateSetup {
  /** With the options that the proposal was begun with. */
  readonly setup: RunSetup;
  readonly heldOut: readonly HeldOutTask[];
  readonly texts: TextPair;
  readonly size: RunSize | undefined;
}

/** Of a proposal as it is given, be it staged or not. */
async function proposalSizeOf(given: RunSetup, proposal: Proposal, models: RoleModels): Promise<CandidateSetup> {
  const setup = { ...given, options: asBegun(given.options, proposal) };
  const { split, leaks } = setup.tasks.result;
  const silent = { record: () => undefined };
  const proving = withoutLeaks(silent, split, [...leaks, ...learnedLeaks(split.heldOut, proposal)]).tasks;
  const { heldOut } = proving;
  const texts = await textsOf(setup, proposal);
  const { candidates } = proposal;
  const size = await measureSizeOf(await measureInputOf(setup, { heldOut, models }), {
    ...texts,
    onTraining: candidates?.proposed.outcome,
    rule: candidates?.rule,
    sealed: proposal.sealed === undefined ? proving.sealed : [],
  });
  return { setup, heldOut, texts, size };
}

/** With the memory file beside both, where a certification that waits may have been begun beside it. */
async function textsOf({ skill, options }: Pick<RunSetup, 'skill' | 'options'>, proposal: Proposal): Promise<TextPair> {
  const { before, after } = proposedTexts(skill, proposal);
  if (before.memory !== undefined || !options.consolidate.memory) return { before, after };
  const memory = (await findMemoryFile(skill.places))?.text;
  return { before: { ...before, memory }, after: { ...after, memory } };
}
