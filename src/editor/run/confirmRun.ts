import * as vscode from 'vscode';
import type { Preflight, RunRequest, Workshop } from '../../workshop/workshop.js';
import { neverAborted } from '../cancellation.js';

/** Shows what a run does and may cost. Free runs (the simulated model, a model on this machine) are not asked about. */
export async function confirmRun(workshop: Workshop, request: RunRequest): Promise<boolean> {
  const preflight = await workshop.preflight(request, neverAborted());
  if (preflight.usd?.high === 0 && preflight.notes.length === 0) return true;
  const start = vscode.l10n.t('Optimize');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('Optimize {0}?', preflight.skillName),
    { modal: true, detail: preflightText(preflight) },
    start,
  );
  return picked === start;
}

/** The preflight in words: tasks, model, calls, tokens, money, and what the task set can detect. */
export function preflightText(preflight: Preflight): string {
  const { tasks, models, calls, tokens, usd } = preflight;
  return [
    vscode.l10n.t(
      '{0} training, {1} held-out and {2} sealed tasks on {3}.',
      tasks.training,
      tasks.heldOut,
      tasks.sealed,
      models.target,
    ),
    vscode.l10n.t('{0} to {1} calls, {2} to {3} tokens.', calls.low, calls.high, tokens.low, tokens.high),
    usd === undefined
      ? vscode.l10n.t('The price of this model is not known: tokens are counted, money is not.')
      : vscode.l10n.t('{0} to {1} USD.', usd.low.toFixed(2), usd.high.toFixed(2)),
    preflight.power,
    ...preflight.notes,
  ].join('\n');
}
