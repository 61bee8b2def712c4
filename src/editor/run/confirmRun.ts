import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import type { UseCases } from '../../app/useCases.js';
import type { Preflight } from '../../app/runs/preflight.js';
import { neverAborted } from '../cancellation.js';
import {
  giveUpLine,
  holdingLine,
  isAtStake,
  repeatsLines,
  serverLines,
  sizeLine,
  stageLines,
} from '../../wording/preflightLines.js';
import { timeLines } from '../../wording/preflight/paidInTime.js';
import { warningsFirst } from '../../wording/preflight/warningsFirst.js';
import { withOwnWay } from '../../wording/preflight/strongerModel.js';
import { waitingLines } from '../../wording/harvest/reviewedDrafts.js';
import { settledAdvice } from '../../wording/powerSentence.js';
import { roundsLines } from '../../wording/amounts.js';
import { retold, t } from '../../wording/translate.js';
import { askAboutCosts } from '../models/askCost.js';
import type { Log } from '../shown/log.js';
import { showInformation } from '../shown/messages.js';
import { askCap } from './askCap.js';
import { previewIsRead } from './previewIsRead.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/**
 * Shows what a run does and may cost until the person has decided; undefined where they do not go on. A cap can be set,
 * what is sent looked at and an error budget started afresh in between: all of these lead back. A run that is free, short and has nothing to say is not asked about,
 * and neither is the next round of one that is answered by hand alone.
 */
export async function confirmRun<R extends Parameters<UseCases['preflight']>[0]>(
  useCases: UseCases,
  requestNow: () => R,
  log: Pick<Log, 'info'>,
): Promise<{ readonly request: R; readonly preflight: Preflight } | undefined> {
  await useCases.refuseUnfitTarget(requestNow());
  await useCases.reachModels(neverAborted());
  await askAboutCosts(useCases);
  for (let looked = false; ; looked = true) {
    const request = requestNow();
    const preflight = await useCases.preflight(request, neverAborted());
    if (!looked && (isPlain(preflight) || isNextRound(preflight, request))) return { request, preflight };
    warningsFirst(preflight)
      .notes.slice(mostNotes)
      .forEach((note) => log.info(withOwnWay(note, 'editor')));
    const picked = await ask(preflight, request.resume !== undefined);
    if (picked === 'start') return { request, preflight };
    if (!(await leadsBack(picked, { ...preflight, skillPath: request.skillPath }))) return undefined;
  }
}

/** Does what was picked instead of the start; whether the person is asked again behind it. */
async function leadsBack(
  picked: Decision | undefined,
  { skillPath, paidInTime }: Pick<Preflight, 'skillPath' | 'paidInTime'>,
): Promise<boolean> {
  if (picked === 'cap') await askCap({ minutesFirst: paidInTime !== undefined });
  if (picked === 'preview') await previewIsRead(await runCommand('whetstone.previewRequests', { skillPath }));
  if (picked === 'refill') await runCommand('whetstone.refillErrorBudget', skillPath);
  if (picked === 'describe') await runCommand('whetstone.describeChecks', { skillPath });
  if (picked === 'draft') await runCommand('whetstone.draftTasks', skillPath);
  return picked === 'cap' || picked === 'preview' || picked === 'refill';
}

type Decision = 'start' | 'cap' | 'preview' | 'refill' | 'describe' | 'draft';

/** What the person wants to do about the run; undefined where they turn away. */
async function ask(preflight: Preflight, resumes: boolean): Promise<Decision | undefined> {
  const question = resumes
    ? vscode.l10n.t('Go on with {0}? This is what is left of the run.', preflight.skillName)
    : vscode.l10n.t('Optimize {0}?', preflight.skillName);
  const buttons: readonly (readonly [string, Decision])[] = [
    [resumes ? vscode.l10n.t('Resume') : vscode.l10n.t('Optimize'), 'start'],
    [vscode.l10n.t('Set a Cap'), 'cap'],
    [vscode.l10n.t('Preview What Is Sent'), 'preview'],
    ...(preflight.emptyBudget === true ? [[vscode.l10n.t('Refill the Error Budget'), 'refill'] as const] : []),
    ...(preflight.undescribed.length === 0 ? [] : [[vscode.l10n.t('Describe Checks'), 'describe'] as const]),
    ...(settledAdvice(preflight.taskPower) !== 'harder'
      ? []
      : [[vscode.l10n.t('Draft Harder Tasks'), 'draft'] as const]),
  ];
  const options = { modal: true as const, detail: preflightText(preflight) };
  const picked = await showInformation(question, options, ...buttons.map(([label]) => label));
  return buttons.find(([label]) => label === picked)?.[1];
}

function isPlain(preflight: Preflight): boolean {
  const { notes, byHand, emptyBudget } = preflight;
  return !isAtStake(preflight) && notes.length === 0 && byHand === undefined && emptyBudget === undefined;
}

/** Everything was told before the first round, and nothing costs money: whoever answers just goes on. */
function isNextRound(
  { byHand, ...preflight }: Preflight,
  { resume }: { readonly resume?: object | undefined },
): boolean {
  return resume !== undefined && byHand?.wholly === true && !isAtStake({ ...preflight, byHand });
}

const mostNotes = 4;

function inWindow(note: string): string {
  return withOwnWay(note, 'editor');
}

/** The preflight on one screen: what keeps the run from working, cost, calls and time first (time before all where nothing costs money), then what holds, then what is worth knowing. */
function preflightText(preflight: Preflight): string {
  const { tasks, models, prices, power, settled, asides = [] } = preflight;
  const { first, caps, notes } = warningsFirst(preflight);
  const more = notes.length - mostNotes;
  return [
    ...first.map(retold),
    sizeLine(preflight),
    ...timeLines(preflight, { face: 'editor', lined: true }),
    ...stageLines(preflight),
    ...repeatsLines(preflight),
    ...roundsLines(preflight),
    vscode.l10n.t(
      '{0} training, {1} held-out and {2} sealed tasks on {3}.',
      tasks.training,
      tasks.heldOut,
      tasks.sealed,
      shownModel(models.target),
    ),
    ...waitingLines(tasks.drafts, t),
    ...serverLines(preflight.servers),
    holdingLine(preflight.holds, t, preflight.callCap),
    ...(preflight.byHand === undefined ? [giveUpLine(preflight.givesUp)] : []),
    ...[...caps, ...prices, power, ...settled, ...asides, ...notes.slice(0, mostNotes).map(inWindow)].map(retold),
    ...(more > 0 ? [vscode.l10n.t('And {0} more notes, which the log holds.', more)] : []),
  ].join('\n');
}
