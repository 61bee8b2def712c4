import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import { isAtStake, sizeLine } from '../../wording/preflightLines.js';
import { neverAborted } from '../cancellation.js';
import { runRequestFor } from './runRequestFor.js';
import { askAboutCosts } from '../models/askCost.js';
import { showInformation } from '../shown/messages.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** Tasks of one skill to attempt; all that count where none is named. */
export interface AttemptsToConfirm {
  readonly skillPath: string;
  readonly only?: readonly string[] | undefined;
  /** Each task once more without the skill. */
  readonly withoutSkill?: boolean | undefined;
}

/**
 * Says how many tasks are attempted, on which model, what that costs and how long it takes at most. `always` asks also
 * where it is free and short: for what a person can set off without having meant to. Never asked on the simulated model:
 * nothing costs, and nothing leaves the machine.
 */
export async function confirmAttempts(
  useCases: UseCases,
  { chosen, always }: { readonly chosen: readonly AttemptsToConfirm[]; readonly always: boolean },
): Promise<boolean> {
  for (const { skillPath, only } of chosen) await useCases.refuseUnfitTarget({ ...runRequestFor(skillPath), only });
  await useCases.reachModels(neverAborted());
  await askAboutCosts(useCases);
  const [first, ...others] = chosen.map(({ skillPath, only, withoutSkill = false }) => ({
    ...runRequestFor(skillPath),
    only,
    withoutSkill,
  }));
  if (first === undefined) return false;
  const size = await useCases.evaluationSize([first, ...others], neverAborted());
  if (size.allSimulated === true || (!always && !isAtStake(size))) return true;
  const run = vscode.l10n.t('Run');
  const picked = await showInformation(
    vscode.l10n.t('Attempt {0} tasks on {1}?', size.attempts, shownModel(size.models.target)),
    { modal: true, detail: sizeLine(size) },
    run,
  );
  return picked === run;
}
