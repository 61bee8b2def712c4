import * as vscode from 'vscode';
import type { UseCases } from '../../app/useCases.js';
import type { Preflight } from '../../app/runs/preflight.js';
import { mayTakeLong, sizeLine } from '../../wording/preflightLines.js';
import { neverAborted } from '../cancellation.js';
import { runRequestFor } from './optimizeCommand.js';
import { askAboutCosts } from '../models/askCost.js';
import { showInformation } from '../shown/messages.js';

/** A task is attempted and, where it has natural-language expectations, judged. */
const callsOfAttempt = 2;

/**
 * Says how many tasks are attempted, on which model, what that costs and how long it takes at most. `always` asks also
 * where it is free and short: for what a person can set off without having meant to.
 */
export async function confirmAttempts(
  useCases: UseCases,
  { skillPath, attempts, always }: { readonly skillPath: string; readonly attempts: number; readonly always: boolean },
): Promise<boolean> {
  await useCases.reachModels(neverAborted());
  await askAboutCosts(useCases);
  const preflight = await useCases.preflight(runRequestFor(skillPath), neverAborted());
  const { models } = preflight;
  const size = sizeOf(preflight, attempts);
  if (!always && size.usd?.high === 0 && !mayTakeLong(size)) return true;
  const run = vscode.l10n.t('Run');
  const picked = await showInformation(
    vscode.l10n.t('Attempt {0} tasks on {1}?', attempts, models.target),
    { modal: true, detail: sizeLine(size) },
    run,
  );
  return picked === run;
}

/** The share of a whole run that so many attempts are. */
function sizeOf({ calls, usd, minutes }: Preflight, attempts: number): Pick<Preflight, 'calls' | 'usd' | 'minutes'> {
  const most = attempts * callsOfAttempt;
  const share = calls.high === 0 ? 0 : most / calls.high;
  return {
    calls: { low: attempts, high: most },
    usd: usd === undefined ? undefined : { low: (usd.high * share) / callsOfAttempt, high: usd.high * share },
    minutes: { ...minutes, high: minutes.high * share },
  };
}
