import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import type { UseCases } from '../../app/useCases.js';
import type { Preflight } from '../../app/runs/preflight.js';
import type { RunRequest } from '../../app/runs/runStart.js';
import { neverAborted } from '../cancellation.js';
import { serverLines, sizeLines } from '../../wording/preflightLines.js';
import { retold } from '../../wording/translate.js';
import { showInformation } from '../shown/messages.js';

/** Shows what a run does and may cost. Free runs (the simulated model, a model on this machine) are not asked about. */
export async function confirmRun(useCases: UseCases, request: RunRequest): Promise<boolean> {
  await useCases.reachModels(neverAborted());
  const preflight = await useCases.preflight(request, neverAborted());
  if (preflight.usd?.high === 0 && preflight.notes.length === 0) return true;
  const start = vscode.l10n.t('Optimize');
  const preview = vscode.l10n.t('Preview What Is Sent');
  const picked = await showInformation(
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
  const { tasks, models } = preflight;
  return [
    vscode.l10n.t(
      '{0} training, {1} held-out and {2} sealed tasks on {3}.',
      tasks.training,
      tasks.heldOut,
      tasks.sealed,
      models.target,
    ),
    ...serverLines(preflight.servers),
    ...sizeLines(preflight),
    ...[...preflight.prices, ...preflight.caps, preflight.power, ...preflight.notes].map(retold),
  ].join('\n');
}

/** Says what going on costs before it is spent; free passes are not asked about. */
export async function confirmGather(useCases: UseCases, request: RunRequest, cure: string): Promise<boolean> {
  await useCases.reachModels(neverAborted());
  const { usd, skillName } = await useCases.preflight(request, neverAborted());
  if (usd?.high === 0) return true;
  const go = vscode.l10n.t('Gather More Evidence');
  const question = vscode.l10n.t('Gather more evidence for {0}?', skillName);
  return (await showInformation(question, { modal: true, detail: retold(cure) }, go)) === go;
}
