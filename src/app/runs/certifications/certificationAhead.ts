import type { TextPair } from '../../../engine/candidate.js';
import { pairCandidate } from '../../../engine/certify/verdictOf.js';
import { UserError } from '../../../errors.js';
import { canCertify, refillByPerson, type ErrorBudget } from '../../../gate/statistics/errorBudget.js';
import type { HeldOutTask } from '../../../tasks/task.js';
import { errorBudgetEmpty } from '../../../wording/verdicts.js';
import { certifies } from '../bound/measureBound.js';
import type { RoleModels } from '../../models/runModels.js';
import { budgetAhead, conditionsOf, isWaiting } from '../certificationStore.js';
import type { RunSetup } from '../runStart.js';
import { runsCutOff } from '../unfinishedRuns.js';
import { namesOfSkills } from './sharedHeldOut.js';

/** What a measurement that is about to begin finds of the error budget. */
export interface CertificationAhead {
  /** A certification is begun and paid for: none that was cut off goes on, and the rule asks for one. */
  readonly isPaid: boolean;
  readonly budget: ErrorBudget;
  /** It would have to be paid for, and nothing is left to do so: no model would be asked for a verdict. */
  readonly isRefused: boolean;
}

interface CertificationInputs {
  /** The texts, in each way in which a certification that waits may have been begun on them. */
  readonly pairs: readonly TextPair[];
  readonly heldOut: readonly HeldOutTask[];
  readonly models: RoleModels;
  /** The person starts the budget afresh before it. */
  readonly refill?: boolean | undefined;
}

/** Known before anything is spent; writes nothing. */
export async function certificationAhead(
  { skill, tasks, options }: RunSetup,
  { pairs, heldOut, models, refill = false }: CertificationInputs,
): Promise<CertificationAhead> {
  const { simulated } = models.target.identity;
  const split = { ...tasks.result.split, heldOut };
  const found = await budgetAhead(skill.store, { ...tasks.result, split }, { simulated });
  const budget = refill ? refillByPerson(found, { at: '', reason: '' }) : found;
  const under = conditionsOf(models, options);
  const untold = await runsCutOff(skill.store);
  const waiting = await Promise.all(
    pairs.map(({ before, after }) => {
      const hashes = { originalHash: pairCandidate(before).hash, candidateHash: pairCandidate(after).hash };
      const subject = { ...hashes, heldOut: heldOut.map(({ contentHash }) => contentHash) };
      return isWaiting(skill.store, subject, under, untold);
    }),
  );
  const isPaid = certifies(options, heldOut) && !waiting.includes(true);
  return { isPaid, budget, isRefused: isPaid && !canCertify(budget) };
}

/** Before a price is told: what cannot be had has none. */
export async function refuseEmptyBudget(
  { skill }: Pick<RunSetup, 'skill'>,
  { isRefused, budget }: CertificationAhead,
  heldOut: readonly HeldOutTask[],
): Promise<void> {
  if (!isRefused) return;
  const { spentBy } = await namesOfSkills(skill.store, budget);
  const verdict = errorBudgetEmpty(budget, heldOut.length, spentBy);
  throw new UserError('error-budget-empty', verdict.reason, verdict.kind === 'inconclusive' ? verdict.cure : '');
}
