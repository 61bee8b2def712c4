import * as vscode from 'vscode';
import type { Preflight } from '../../app/runs/preflight.js';
import type { RunObserver } from '../../app/runs/runJournal.js';
import { followFirstPace, type FirstPace } from '../../engine/journal/pace/firstPace.js';
import { paceSentence } from '../../wording/preflight/paidInTime.js';
import { runCommand } from '../commands/runCommand.js';
import { reportError } from '../reportError.js';
import { showInformation } from '../shown/messages.js';
import { writtenName } from '../skills/writtenName.js';
import type { RunParts } from './withRunProgress.js';

interface PaceChoices {
  readonly skillPath: string;
  /** Has the person choose the tasks that the run does without, and ends this one with `stop` once they did. */
  readonly fewer: (stop: () => Promise<void>) => Promise<unknown>;
  /** Starts the run again with the preset `quick`; undefined where that makes nothing shorter. */
  readonly quickly?: (() => Promise<unknown>) | undefined;
}

/**
 * Where time is the price of a run: says after its first calls how long it takes, and offers to leave it or to have it
 * shorter. The run goes on meanwhile. Observers of other runs stay as they are.
 */
export function tellingPace(
  { paidInTime, usual }: Pick<Preflight, 'paidInTime' | 'usual'>,
  parts: Pick<RunParts, 'controls'> & { readonly log: Pick<RunParts['log'], 'info'> },
  offered: PaceChoices,
): (observe: RunObserver) => RunObserver {
  if (paidInTime === undefined) return (observe) => observe;
  const follow = followFirstPace(usual);
  return (observe) => (event, summary) => {
    observe(event, summary);
    const told = follow(event, summary.updatedAt);
    if (told === undefined) return;
    parts.log.info(paceSentence(told));
    if (told.minutes > shortMinutes) offerShorter(told, parts, offered).catch((error: unknown) => reportError(error));
  };
}

const shortMinutes = 2;

async function offerShorter(
  told: FirstPace,
  { controls }: Pick<RunParts, 'controls'>,
  { skillPath, fewer, quickly }: PaceChoices,
): Promise<void> {
  const run = controls.signalOf(skillPath);
  // Short, for a narrow window cuts them.
  const stop = vscode.l10n.t('Stop for Now');
  const less = vscode.l10n.t('Fewer Tasks');
  const quick = vscode.l10n.t('Quick Preset');
  const message = vscode.l10n.t(
    '{0}: {1} It can be left at any time: what was answered is kept, and it goes on from there.',
    await writtenName(skillPath),
    paceSentence(told),
  );
  const picked = await showInformation(message, stop, less, ...(quickly === undefined ? [] : [quick]));
  if (picked === undefined) return;
  // A message stays for as long as nobody answers it: what it offers is meant for this run, and for no later one.
  const goesOn = (): boolean => run !== undefined && controls.signalOf(skillPath) === run;
  if (!goesOn()) {
    await showInformation(vscode.l10n.t('{0}: that run has ended already.', await writtenName(skillPath)));
    return;
  }
  if (picked === stop) {
    await runCommand('whetstone.pauseRun', skillPath);
    return;
  }
  const end = async (): Promise<void> => {
    if (goesOn()) await controls.stop(skillPath);
  };
  if (picked === less) return void (await fewer(end));
  await end();
  await quickly?.();
}
