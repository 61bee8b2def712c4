import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { Side } from '../../tasks/task.js';
import { companions, sideLabel, type TaskStanding } from '../../wording/taskWords.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import type { TaskChoice } from '../commands/commands.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickOne, type Choice } from '../shown/questions.js';
import { reportError } from '../reportError.js';
import { requestFor } from '../workbench.js';
import { standingsOf } from './taskActions.js';
import { applyChange, refuseUnsaved, type TaskParts } from './taskParts.js';

interface SideChoice extends Choice {
  readonly side: Side | undefined;
  readonly refused: string | undefined;
}

/** The command “Move to Another Side”: the sides that are open to the task, and why the others are not. */
export async function moveTask(choice: TaskChoice, parts: TaskParts): Promise<void> {
  const { skillPath, taskId } = choice;
  refuseUnsaved(skillPath);
  const { tasks } = await parts.overviews.of(skillPath);
  const standing = tasks === undefined ? undefined : standingsOf(tasks).get(taskId);
  if (standing === undefined) throw noTask(taskId);
  const picked = await pickOne(sideChoices(standing), {
    title: vscode.l10n.t('Move {0} to', taskId),
    placeHolder: companions(standing) ?? '',
  });
  if (picked === undefined) return;
  if (picked.refused !== undefined || picked.side === undefined) {
    await offerDisable(choice, picked.refused, parts);
    return;
  }
  const useCases = await parts.useCases();
  const moved = await useCases.moveTask({ ...requestFor(skillPath), task: taskId, side: picked.side }, neverAborted());
  parts.overviews.refresh(skillPath);
  void showInformation(vscode.l10n.t('Moved to {0}: {1}.', sideLabel(picked.side), moved.join(', ')));
}

function sideChoices(standing: TaskStanding): readonly SideChoice[] {
  const rows = standing.moves.to.map(({ side, refused }): SideChoice => ({
    label: sideLabel(side),
    side,
    refused,
    ...(refused === undefined ? { detail: purposeOf(side) } : { icon: 'circle-slash', detail: retold(refused) }),
  }));
  const open = rows.filter(({ refused }) => refused === undefined);
  const closed = rows.filter(({ refused }) => refused !== undefined);
  const disable: SideChoice = {
    label: vscode.l10n.t('Disable'),
    detail: vscode.l10n.t('It counts on no side until it is enabled again.'),
    side: undefined,
    refused: undefined,
  };
  return [...open, ...closed, ...(closed.length > 0 && standing.state === 'confirmed' ? [disable] : [])];
}

/** What a side is for, in half a sentence. */
export function purposeOf(side: Side): string {
  switch (side) {
    case 'training':
      return vscode.l10n.t('The optimizer learns from it.');
    case 'heldOut':
      return vscode.l10n.t('It proves that an edit helps, and is never learned from.');
    case 'sealed':
      return vscode.l10n.t('It is scored once, in the report, and decides nothing.');
  }
}

/** A side that is closed says why; the task can still be taken out of the count. */
async function offerDisable(choice: TaskChoice, refused: string | undefined, parts: TaskParts): Promise<void> {
  const disable = vscode.l10n.t('Disable');
  const chosen =
    refused === undefined
      ? disable
      : await showWarning(vscode.l10n.t('{0} stays where it is. {1}', choice.taskId, retold(refused)), disable);
  if (chosen === disable) await applyChange(choice.skillPath, parts, { kind: 'disable', id: choice.taskId });
}

/** The command “Delete Task”: what was taken out can be brought back from the message. */
export async function deleteTask(choice: TaskChoice, parts: TaskParts): Promise<void> {
  offerBack([await takeOut(choice, parts)]);
}

/** A task that was taken out, and the way back. */
export interface TakenOut {
  readonly taskId: string;
  readonly putBack: () => Promise<void>;
}

export async function takeOut({ skillPath, taskId }: TaskChoice, parts: TaskParts): Promise<TakenOut> {
  refuseUnsaved(skillPath);
  const useCases = await parts.useCases();
  const removed = await useCases.removeTask({ ...requestFor(skillPath), task: taskId }, neverAborted());
  parts.overviews.refresh(skillPath);
  const putBack = async (): Promise<void> => {
    refuseUnsaved(skillPath);
    await useCases.restoreTask({ ...requestFor(skillPath), removed }, neverAborted());
    parts.overviews.refresh(skillPath);
  };
  return { taskId, putBack };
}

/** One message for all of them. Not waited for: a message that nobody answers must not keep the command from ending. */
export function offerBack(taken: readonly TakenOut[]): void {
  const [first] = taken;
  if (first === undefined) return;
  const said =
    taken.length === 1
      ? vscode.l10n.t('{0} is deleted.', first.taskId)
      : vscode.l10n.t('{0} tasks are deleted.', taken.length);
  const bringBack = async (): Promise<void> => {
    const undo = vscode.l10n.t('Undo');
    if ((await showInformation(said, undo)) !== undo) return;
    for (const { putBack } of taken.toReversed()) await putBack();
  };
  void bringBack().catch(reportError);
}

function noTask(taskId: string): UserError {
  return new UserError(
    'tasks-missing',
    vscode.l10n.t('There is no task {0} in the task files of this skill.', taskId),
    vscode.l10n.t('Refresh the view: the files have changed.'),
  );
}
