import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { runCommand } from '../commands/runCommand.js';
import { showInformation } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';
import { writtenName } from '../skills/writtenName.js';
import type { RunParts } from './withRunProgress.js';

type PauseParts = Pick<RunParts, 'controls' | 'overviews'>;

/** Stops a run of this window so that it can go on later; says how. `active` is the skill in front of the person. */
export async function pauseRun(
  given: string | undefined,
  active: string | undefined,
  parts: PauseParts,
): Promise<void> {
  const skillPath = await runToPause(given, active, parts);
  parts.controls.pause(skillPath);
  const resume = vscode.l10n.t('Resume');
  const message = vscode.l10n.t(
    '{0} is paused. What it asked so far is stored and not paid for again.',
    await writtenName(skillPath),
  );
  const picked = await showInformation(message, resume);
  if (picked === resume) await runCommand('whetstone.resumeRun', { skillPath });
}

/** The run that was named and no other; without a name the one in front, the only one, or the one that the person picks. */
async function runToPause(
  given: string | undefined,
  active: string | undefined,
  { controls, overviews }: PauseParts,
): Promise<string> {
  const running = controls.paths();
  if (given !== undefined) {
    if (running.includes(given)) return given;
    throw overviews.running(given)?.ofNight === true ? await trainedByNight(given) : await notRunning(given);
  }
  if (active !== undefined && running.includes(active)) return active;
  const [only, ...others] = running;
  if (only === undefined)
    throw new UserError('usage', vscode.l10n.t('No run to pause.'), overviews.anyRunning ? howNightStops() : '');
  return others.length === 0 ? only : pickRun(running);
}

async function pickRun(running: readonly string[]): Promise<string> {
  const rows = running.map(async (skillPath) => ({
    label: await writtenName(skillPath),
    description: vscode.workspace.asRelativePath(skillPath),
    skillPath,
  }));
  const words = { title: vscode.l10n.t('Which run is paused?'), matchOnDescription: true };
  const picked = await pickOne(await Promise.all(rows), words);
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.skillPath;
}

async function trainedByNight(skillPath: string): Promise<UserError> {
  const name = await writtenName(skillPath);
  return new UserError(
    'usage',
    vscode.l10n.t('{0} is trained by a night, which is not paused.', name),
    howNightStops(),
  );
}

async function notRunning(skillPath: string): Promise<UserError> {
  return new UserError(
    'usage',
    vscode.l10n.t('No run of {0} goes on in this window.', await writtenName(skillPath)),
    '',
  );
}

function howNightStops(): string {
  return vscode.l10n.t('A night is stopped with “Whetstone: Nightly Training”, “Stop Nightly Training”.');
}
