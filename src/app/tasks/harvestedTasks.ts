import { UserError } from '../../errors.js';
import { harvestedDraftsOf, type HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import type { RemovedTask, TaskChange } from '../../tasks/writeTasks.js';
import type { OpenSkill } from '../openSkill.js';
import { forgetDeleted } from './learnedSessions.js';
import { readSkillTasks } from './skillTasks.js';
import { addConfirmed, changeTasks, removeTask, restoreTask } from './taskFiles.js';

/** Makes a change to the files of tasks, or to a draft out of a session: that becomes a task there by a yes alone. */
export async function changeTaskOrDraft(skill: OpenSkill, change: TaskChange, signal: AbortSignal): Promise<void> {
  const draft = change.kind === 'add' ? undefined : await draftNamed(skill, change.id);
  if (draft === undefined) return changeTasks(skill, change);
  const { id } = draft.task;
  // The task first: what is killed between the two is a task, and its draft is not shown any more.
  if (change.kind === 'confirm') await addConfirmed(skill, draft.task);
  else if (change.kind !== 'remove')
    throw new UserError('usage', `“${id}” is a draft out of a session.`, 'Confirm it first, then change it.');
  await harvestedDraftsOf(skill.store).settle(id, signal);
}

/** What was taken out: a task of the files, or a draft that waited in the person's state. */
export interface TakenOut extends RemovedTask {
  readonly draft?: HarvestedDraft | undefined;
}

/** A draft that is turned down does not come again from the same words. */
export async function removeTaskOrDraft(skill: OpenSkill, id: string, signal: AbortSignal): Promise<TakenOut> {
  const draft = await draftNamed(skill, id);
  if (draft === undefined) {
    const { tasks = [], broken = [] } = (await readSkillTasks(skill))?.read ?? {};
    const task = [...tasks, ...broken.map((each) => each.task)].find((each) => each.id === id);
    const removed = await removeTask(skill, id);
    if (task !== undefined) await forgetDeleted(skill, task, signal);
    return removed;
  }
  await harvestedDraftsOf(skill.store).settle(id, signal);
  const nothing = { evalsText: undefined, whetstoneText: undefined };
  return { id, entry: draft.task, whetstone: undefined, before: nothing, after: nothing, draft };
}

export async function restoreTaskOrDraft(skill: OpenSkill, removed: TakenOut, signal: AbortSignal): Promise<void> {
  if (removed.draft === undefined) await restoreTask(skill, removed);
  else await harvestedDraftsOf(skill.store).restore(removed.draft, signal);
}

async function draftNamed(skill: OpenSkill, id: string): Promise<HarvestedDraft | undefined> {
  return (await harvestedDraftsOf(skill.store).all()).find(({ task }) => task.id === id);
}
