import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import type { Preflight, RunRequest, UseCases } from '../../app/useCases.js';
import { neverAborted } from '../cancellation.js';

/** Shows what a run does and may cost. Free runs (the simulated model, a model on this machine) are not asked about. */
export async function confirmRun(useCases: UseCases, request: RunRequest): Promise<boolean> {
  const preflight = await useCases.preflight(request, neverAborted());
  if (preflight.usd?.high === 0 && preflight.notes.length === 0) return true;
  const start = vscode.l10n.t('Optimize');
  const preview = vscode.l10n.t('Preview What Is Sent');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('Optimize {0}?', preflight.skillName),
    { modal: true, detail: preflightText(preflight) },
    start,
    preview,
  );
  if (picked === preview) await runCommand('whetstone.previewRequests', request.skillPath);
  return picked === start;
}

/** The preflight in words: tasks, model, calls, tokens, money, and what the task set can detect. */
export function preflightText(preflight: Preflight): string {
  const { tasks, models, calls, tokens, usd, minutes } = preflight;
  return [
    vscode.l10n.t(
      '{0} training, {1} held-out and {2} sealed tasks on {3}.',
      tasks.training,
      tasks.heldOut,
      tasks.sealed,
      models.target,
    ),
    usd === undefined
      ? vscode.l10n.t(
          'At most {0} calls and {1} tokens; with a proposal at least {2} and {3}.',
          ...sizes([calls.high, tokens.high, calls.low, tokens.low]),
        )
      : vscode.l10n.t(
          'At most {0} calls, {1} tokens and {2} USD; with a proposal at least {3}, {4} and {5} USD.',
          ...sizes([calls.high, tokens.high]),
          usd.high.toFixed(2),
          ...sizes([calls.low, tokens.low]),
          usd.low.toFixed(2),
        ),
    minutesText(minutes),
    ...preflight.prices,
    preflight.power,
    ...preflight.notes,
  ].join('\n');
}

function minutesText({ low, high }: Preflight['minutes']): string {
  if (high < 1) return vscode.l10n.t('Less than a minute.');
  return low < 1
    ? vscode.l10n.t('Up to {0} minutes.', Math.ceil(high))
    : vscode.l10n.t('About {0} to {1} minutes.', Math.floor(low), Math.ceil(high));
}

function sizes(numbers: readonly number[]): readonly string[] {
  return numbers.map((number) => Math.ceil(number).toLocaleString('en'));
}

/** Says what going on costs before it is spent; free passes are not asked about. */
export async function confirmGather(useCases: UseCases, request: RunRequest, cure: string): Promise<boolean> {
  const { usd, skillName } = await useCases.preflight(request, neverAborted());
  if (usd?.high === 0) return true;
  const go = vscode.l10n.t('Gather More Evidence');
  const question = vscode.l10n.t('Gather more evidence for {0}?', skillName);
  return (await vscode.window.showInformationMessage(question, { modal: true, detail: cure }, go)) === go;
}
