import { harvestedDraftsOf, type HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { makeTask } from '../../tasks/makeTask.js';
import type { ReadTasks } from '../../tasks/readers/readTasks.js';
import { sameTextKey } from '../../tasks/split/nearDuplicates.js';
import type { Task } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';

/** A draft out of a session, as a view lists it: a task that is no file's yet. */
export interface WaitingDraft {
  readonly task: Task;
  readonly draft: HarvestedDraft;
}

/** Those that wait, without what a task of the skill says already. */
export async function waitingDrafts(
  { store }: Pick<OpenSkill, 'store'>,
  there: readonly Task[],
): Promise<readonly WaitingDraft[]> {
  const known = new Set(there.map(sameTextKey));
  const ids = new Set(there.map(({ id }) => id));
  const drafts = await harvestedDraftsOf(store).all();
  return drafts
    .map((draft) => ({ task: makeTask({ ...draft.task, draft: true }), draft }))
    .filter(({ task }) => !known.has(sameTextKey(task)) && !ids.has(task.id));
}

/** How many drafts wait for the person: in the files of tasks, and those of them out of sessions in their own state. */
export async function draftsToConfirm(
  skill: Pick<OpenSkill, 'store'>,
  read: Pick<ReadTasks, 'tasks' | 'broken'> | undefined,
): Promise<{ readonly all: number; readonly harvested: number }> {
  const { tasks = [], broken = [] } = read ?? {};
  const harvested = (await waitingDrafts(skill, [...tasks, ...broken.map(({ task }) => task)])).length;
  return { all: tasks.filter(({ draft }) => draft).length + harvested, harvested };
}
