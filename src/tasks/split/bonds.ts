import { nearDuplicates, type Bond } from './nearDuplicates.js';
import type { Task } from '../task.js';

/** The order in which tasks are placed: it depends on what they are, not on where they stand. */
export function inHashOrder(tasks: readonly Task[]): readonly Task[] {
  return [...tasks].sort((a, b) => {
    if (a.contentHash !== b.contentHash) return a.contentHash < b.contentHash ? -1 : 1;
    return a.id < b.id ? -1 : 1;
  });
}

/** What must lie on one side: tasks of one origin, and tasks with almost the same text. */
export function bondsOf(tasks: readonly Task[]): readonly Bond[] {
  const origins = new Map<string, number[]>();
  tasks.forEach((task, index) => {
    if (task.origin === undefined) return;
    const group = origins.get(task.origin);
    if (group === undefined) origins.set(task.origin, [index]);
    else group.push(index);
  });
  return [...[...origins.values()].filter((group) => group.length > 1), ...nearDuplicates(tasks)];
}
