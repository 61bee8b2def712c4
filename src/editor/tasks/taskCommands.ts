import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { committedSentence, markedLines } from '../../wording/harvest/draftWords.js';
import { isEnough, reviewedSentences, type ReviewedDrafts } from '../../wording/harvest/reviewedDrafts.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import { confirmMeasuring } from '../run/confirmMeasuring.js';
import { readCaps } from '../settings.js';
import { withProgress } from '../shown/notification.js';
import { requestFor } from '../workbench.js';
import { applyChange, refuseUnsaved, type TaskParts } from './taskParts.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { askText } from '../shown/questions.js';

/** The command “Draft Tasks for This Skill”. Where there is none yet nobody has a number in mind, and none is asked for. */
export async function draftTasks(skillPath: string, { useCases, overviews }: TaskParts): Promise<void> {
  refuseUnsaved(skillPath);
  const { tasks } = await overviews.of(skillPath);
  const count = tasks === undefined ? usualDrafts : await askCount();
  if (count === undefined) return;
  const requestNow = () => ({
    ...requestFor(skillPath),
    count,
    trusted: vscode.workspace.isTrusted,
    caps: readCaps().run,
  });
  const opened = await useCases();
  const agreed = await confirmMeasuring(opened, async () => {
    const price = await opened.draftSize(requestNow(), neverAborted());
    const question = vscode.l10n.t('Draft {0} tasks for {1}?', count, price.skillName);
    return { question, go: vscode.l10n.t('Draft Tasks'), price };
  });
  if (!agreed) return;
  const ids = await withProgress(vscode.l10n.t('Drafting tasks'), (signal) => opened.draftTasks(requestNow(), signal));
  overviews.refresh(skillPath);
  void offerToLook(skillPath, ids);
}

const usualDrafts = 10; // two to train on, five held out, and a few that the person may not want

async function askCount(): Promise<number | undefined> {
  const given = await askText({
    title: vscode.l10n.t('How many tasks should be drafted?'),
    value: String(usualDrafts),
    validateInput: (text) => (/^[1-9]\d?$/.test(text) ? undefined : vscode.l10n.t('A number from 1 to 99.')),
  });
  return given === undefined ? undefined : Number(given);
}

async function offerToLook(skillPath: string, ids: readonly string[]): Promise<void> {
  const [look, all] = [vscode.l10n.t('Review Drafts'), vscode.l10n.t('Confirm All')];
  const message =
    ids.length === 1
      ? vscode.l10n.t('1 draft is ready. Review and confirm it to use it.')
      : vscode.l10n.t('{0} drafts are ready. Review and confirm them to use them.', ids.length);
  const picked = await showInformation(message, look, all);
  if (picked === look) await vscode.commands.executeCommand('whetstone.reviewDrafts', skillPath);
  if (picked === all) await vscode.commands.executeCommand('whetstone.confirmDrafts', skillPath);
}

/** Confirms, enables or disables the task of a tree row. */
export async function changeTask(
  { skillPath, taskId }: { readonly skillPath: string; readonly taskId: string },
  kind: 'confirm' | 'enable' | 'disable',
  parts: TaskParts,
): Promise<void> {
  if (kind === 'confirm' && !(await mayBeCommitted(skillPath, [taskId], parts))) return;
  await applyChange(skillPath, parts, { kind, id: taskId });
}

/** The command “Confirm All Drafts”: whoever has read them need not say so of each. */
export async function confirmDrafts(skillPath: string, parts: TaskParts): Promise<void> {
  const { tasks } = await parts.overviews.of(skillPath);
  const drafts = (tasks?.drafts ?? []).filter(({ id }) => tasks?.onlySingly?.has(id) !== true);
  if (drafts.length === 0)
    throw new UserError(
      'usage',
      vscode.l10n.t('This skill has no drafts to confirm.'),
      vscode.l10n.t('Draft tasks for it first.'),
    );
  const ids = drafts.map(({ id }) => id);
  if (!(await mayBeCommitted(skillPath, ids, parts))) return;
  for (const id of ids) await applyChange(skillPath, parts, { kind: 'confirm', id });
  void tellConfirmed(skillPath, ids.length, parts);
}

/** Drafts out of the person's own sessions leave their state with the confirmation: they are told so before. */
async function mayBeCommitted(
  skillPath: string,
  ids: readonly string[],
  { overviews }: Pick<TaskParts, 'overviews'>,
): Promise<boolean> {
  const { harvested } = (await overviews.of(skillPath)).tasks ?? {};
  const drafts = ids.flatMap((id) => harvested?.get(id) ?? []);
  if (drafts.length === 0) return true;
  const question =
    ids.length === 1 ? vscode.l10n.t('Confirm {0}?', ids.join('')) : vscode.l10n.t('Confirm {0} drafts?', ids.length);
  const detail = [...drafts.flatMap((draft) => markedLines(draft, t)), committedSentence(t)].join('\n\n');
  const confirm = vscode.l10n.t('Confirm');
  return (await showWarning(question, { modal: true, detail }, confirm)) === confirm;
}

/** Says how many count now, what still waits and what is missing, and leads on. */
export async function tellConfirmed(
  skillPath: string,
  confirmed: number,
  { overviews }: Pick<TaskParts, 'overviews'>,
): Promise<void> {
  const tasks = (await overviews.of(skillPath).catch(() => undefined))?.tasks;
  const { training = [], heldOut = [], sealed = [], drafts = [], onlySingly } = tasks ?? {};
  const reviewed = {
    confirmed,
    waiting: drafts.length,
    singly: drafts.filter(({ id }) => onlySingly?.has(id) === true).length,
    counted: training.length + heldOut.length + sealed.length,
  };
  const ways = waysOn(reviewed);
  const picked = await showInformation(reviewedSentences(reviewed, t).join(' '), ...ways.map(([label]) => label));
  const way = ways.find(([label]) => label === picked);
  if (way !== undefined) await vscode.commands.executeCommand(way[1], skillPath);
}

function waysOn(reviewed: ReviewedDrafts): readonly (readonly [string, string])[] {
  const look = [vscode.l10n.t('Review Drafts'), 'whetstone.reviewDrafts'] as const;
  const waiting = reviewed.waiting > 0 ? [look] : [];
  if (isEnough(reviewed)) return [[vscode.l10n.t('Optimize This Skill'), 'whetstone.optimize'], ...waiting];
  return [
    ...waiting,
    [vscode.l10n.t('Draft Tasks'), 'whetstone.draftTasks'],
    [vscode.l10n.t('From My Sessions'), 'whetstone.mineSessions'],
  ];
}

/** Says that the checks of a task that was edited by hand still fit it. */
export async function keepChecks(
  { skillPath, taskId }: { readonly skillPath: string; readonly taskId: string },
  parts: TaskParts,
): Promise<void> {
  await applyChange(skillPath, parts, { kind: 'edit', id: taskId, fields: {} });
}
