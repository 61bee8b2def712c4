import { canCertify } from '../../../gate/statistics/errorBudget.js';
import type { HeldOutTask } from '../../../tasks/task.js';
import { emptyBudgetAhead } from '../../../wording/preflight/emptyBudget.js';
import { english } from '../../../wording/translate.js';
import { spentBudget } from '../../../wording/verdicts.js';
import { certifies } from '../bound/measureBound.js';
import { budgetAhead } from '../certificationStore.js';
import type { RunStart } from '../runStart.js';
import { namesOfSkills } from './sharedHeldOut.js';
import { skillCertifications } from './skillCertifications.js';

/**
 * That a run which is about to begin can prove nothing, because the error budget of its held-out tasks pays for no
 * certification, and what settles it. Undefined where it does, or where the run asks for none. A run that goes on may
 * have paid already.
 */
export async function emptyBudgetOf(
  { skill, tasks, options, resume }: Pick<RunStart, 'skill' | 'tasks' | 'options' | 'resume'>,
  { heldOut, simulated }: { readonly heldOut: readonly HeldOutTask[]; readonly simulated: boolean },
): Promise<string | undefined> {
  if (!certifies(options, heldOut)) return undefined;
  const split = { ...tasks.result.split, heldOut };
  const budget = await budgetAhead(skill.store, { ...tasks.result, split }, { simulated });
  if (canCertify(budget) || (await hasPaid(skill.store, resume?.runId))) return undefined;
  const { spentBy } = await namesOfSkills(skill.store, budget);
  return emptyBudgetAhead(spentBudget(budget, heldOut.length, spentBy), english);
}

async function hasPaid(store: RunStart['skill']['store'], run: string | undefined): Promise<boolean> {
  if (run === undefined) return false;
  const reading = await skillCertifications(store).read();
  return reading.kind === 'verified' && reading.body.begun.some((each) => each.run === run);
}
