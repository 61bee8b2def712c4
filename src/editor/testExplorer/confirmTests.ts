import * as vscode from 'vscode';
import type { Workshop } from '../../workshop/workshop.js';
import { neverAborted } from '../cancellation.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import type { ChosenTasks } from './runTests.js';

/** Says how many attempts the tests make, on which model, and what that costs at most. Always asked. */
export async function confirmTests(workshop: Workshop, chosen: readonly ChosenTasks[]): Promise<boolean> {
  const attempts = chosen.reduce((sum, { items }) => sum + items.length, 0);
  const [first] = chosen;
  if (attempts === 0 || first === undefined) return false;
  const preflight = await workshop.preflight(runRequestFor(first.skillPath), neverAborted());
  const { calls, usd, models } = preflight;
  const each = usd === undefined || calls.high === 0 ? undefined : usd.high / calls.high;
  const price =
    each === undefined
      ? vscode.l10n.t('The price of this model is not known.')
      : vscode.l10n.t('At most about {0} USD.', (each * attempts * 2).toFixed(2));
  const run = vscode.l10n.t('Run');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('Attempt {0} tasks on {1}?', attempts, models.target),
    { modal: true, detail: price },
    run,
  );
  return picked === run;
}
