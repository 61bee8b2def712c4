import type { ReadTasks } from '../readers/readTasks.js';
import { floors } from './fillSides.js';
import type { SplitResult } from './splitTasks.js';
import type { Task } from '../task.js';
import type { TaskPlace, TaskProblem, TaskProblemCode } from '../taskProblem.js';

/** What a split shows about the tasks: set aside, leaked, or too few to certify anything. `whole` stands for the file. */
export function splitProblems(
  { split, leaks, groups }: SplitResult,
  { places, tasks = [] }: Pick<ReadTasks, 'places'> & Partial<Pick<ReadTasks, 'tasks'>>,
  whole: TaskPlace,
): readonly TaskProblem[] {
  const about = (task: Task, code: TaskProblemCode, message: string): TaskProblem => ({
    severity: 'warning',
    code,
    message,
    taskId: task.id,
    place: places.get(task.id) ?? whole,
  });
  const problems = [
    ...split.setAside
      .filter(({ task }) => !leaks.some((leak) => leak.task === task))
      .map(({ task, reason }) => about(task, 'set-aside', `Set aside: ${reason}`)),
    ...leaks.map(({ task, reason }) => about(task, 'leak', `“${task.id}” cannot prove anything: ${reason}.`)),
  ];
  const missing = floors.heldOut - split.heldOut.length;
  if (missing <= 0) return problems;
  const wanted = missing + Math.max(0, floors.training - split.training.length);
  const drafts = tasks.filter((task) => task.draft).length;
  const needed = `An improvement can be shown with ${floors.heldOut} held-out tasks; there are ${split.heldOut.length}.`;
  const message = [needed, ...stuckTogether(groups), wayOn(wanted, drafts)].join(' ');
  return [...problems, { severity: 'warning', code: 'too-few-tasks', message, taskId: undefined, place: whole }];
}

/** Why there are no more, where many tasks count as one: adding another of their kind would not help. */
function stuckTogether(groups: SplitResult['groups']): readonly string[] {
  const largest = Math.max(0, ...groups.map((group) => group.filter(({ draft, enabled }) => enabled && !draft).length));
  if (largest < floors.heldOut) return [];
  return [`${largest} tasks are almost the same or of one origin, so they stay on one side.`];
}

/** Drafts that wait come before tasks that nobody has written yet. */
function wayOn(wanted: number, drafts: number): string {
  if (drafts === 0) return `Add ${tasksInWords(wanted)}.`;
  return drafts < wanted
    ? `Drafts that wait for you: ${drafts}. Confirm those that are good, and add ${tasksInWords(wanted - drafts)}.`
    : `Drafts that wait for you: ${drafts}. Confirm those that are good.`;
}

function tasksInWords(count: number): string {
  return count === 1 ? 'one more task' : `${count} more tasks`;
}
