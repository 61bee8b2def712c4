import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import { neverAborted } from '../cancellation.js';
import { runRequestFor } from './optimizeCommand.js';
import { askAboutCosts } from '../models/askCost.js';
import { showInformation } from '../shown/messages.js';

/** A task is attempted and, where it has natural-language expectations, judged. */
const callsOfAttempt = 2;

/**
 * Says how many tasks are attempted, on which model, and what that costs at most. `always` asks also where it is free:
 * for what a person can set off without having meant to.
 */
export async function confirmAttempts(
  useCases: UseCases,
  { skillPath, attempts, always }: { readonly skillPath: string; readonly attempts: number; readonly always: boolean },
): Promise<boolean> {
  await useCases.reachModels(neverAborted());
  await askAboutCosts(useCases);
  const { calls, usd, models } = await useCases.preflight(runRequestFor(skillPath), neverAborted());
  if (!always && usd?.high === 0) return true;
  const each = usd === undefined || calls.high === 0 ? undefined : usd.high / calls.high;
  const price =
    each === undefined
      ? vscode.l10n.t('The price of this model is not known.')
      : vscode.l10n.t('At most about {0} USD.', (each * attempts * callsOfAttempt).toFixed(2));
  const run = vscode.l10n.t('Run');
  const picked = await showInformation(
    vscode.l10n.t('Attempt {0} tasks on {1}?', attempts, models.target),
    { modal: true, detail: price },
    run,
  );
  return picked === run;
}
