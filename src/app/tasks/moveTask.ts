import { UserError } from '../../errors.js';
import { movesOf, moveTo, movingWith, type TaskMoves } from '../../tasks/split/moveTasks.js';
import type { Side, Task } from '../../tasks/task.js';
import type { OpenSkill } from '../openSkill.js';
import { nothingToAttempt, readSkillTasks, rememberSplit, type SkillTasks } from './skillTasks.js';
import { changeTasks } from './taskFiles.js';

/** Where each task of a skill may go, by id. Those with an error are left out: they are on no side. */
export function taskMoves({ read, result, evalsPath }: SkillTasks): ReadonlyMap<string, TaskMoves> {
  const standsApart = ({ id }: Task): boolean => (read.places.get(id)?.path ?? evalsPath) !== evalsPath;
  return movesOf(read.tasks, result, (task) =>
    standsApart(task) ? 'It stands in the separate held-out file: take it out there first.' : undefined,
  );
}

/**
 * Puts a task, and those that go along with it, on another side, and gives their ids. Kept in `split.json`; where
 * `whetstone.json` names a side, it names the new one from now on. Refused where it would spoil a proof.
 */
export async function moveTask(
  skill: OpenSkill,
  { id, side }: { readonly id: string; readonly side: Side },
): Promise<readonly string[]> {
  const tasks = await readSkillTasks(skill);
  const task = tasks?.read.tasks.find((each) => each.id === id);
  if (tasks === undefined || task === undefined) throw notThere(skill, id, tasks);
  refuseMove(id, side, taskMoves(tasks).get(id));
  const moving = movingWith(task, side, tasks.result);
  // The memory first: a side that is only stated would count as a new task's.
  await rememberSplit(skill, (before) => moveTo(side, moving, tasks.result, before));
  for (const each of moving)
    if (each.assigned !== undefined)
      await changeTasks(skill, { kind: 'edit', id: each.id, fields: { assigned: side } });
  return moving.map((each) => each.id);
}

function refuseMove(id: string, side: Side, moves: TaskMoves | undefined): void {
  const wanted = moves?.to.find((each) => each.side === side);
  if (wanted === undefined) throw new UserError('usage', `“${id}” is on that side already.`, 'Choose another side.');
  if (wanted.refused === undefined) return;
  const cure = 'Disable it, if it should not count where it is.';
  throw new UserError('usage', `“${id}” stays where it is. ${wanted.refused}`, cure);
}

function notThere(skill: OpenSkill, id: string, tasks: SkillTasks | undefined): UserError {
  const broken = tasks?.read.broken.some(({ task }) => task.id === id) === true;
  if (tasks !== undefined && broken) return nothingToAttempt(skill, tasks);
  return new UserError(
    'tasks-missing',
    `There is no task “${id}”.`,
    'Look at the list of tasks and choose one of them.',
  );
}
