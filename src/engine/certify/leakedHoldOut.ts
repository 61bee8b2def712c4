import type { SplitLeak } from '../../tasks/split/splitTasks.js';
import type { SplitTasks } from '../../tasks/task.js';

/** A held-out task that training has seen, and how. */
export interface LeakedTask {
  readonly id: string;
  readonly reason: string;
}

/**
 * The held-out tasks on which nothing can be proved: those that the split reports, and those that are plainly on both
 * sides. One is enough to leave a run without certification, for nobody can tell how far its answer carried.
 */
export function leakedHoldOut(tasks: SplitTasks, reported: readonly SplitLeak[]): readonly LeakedTask[] {
  const heldOut = new Set(tasks.heldOut.map((task) => task.contentHash));
  const told = new Map(
    reported.filter(({ task }) => heldOut.has(task.contentHash)).map(({ task, reason }) => [task.id, reason]),
  );
  const trained = new Map(tasks.training.map((task) => [task.contentHash, task.id]));
  for (const { id, contentHash } of tasks.heldOut) {
    const twin = trained.get(contentHash);
    if (twin !== undefined && !told.has(id)) told.set(id, `it is the training task “${twin}”`);
  }
  return [...told].map(([id, reason]) => ({ id, reason }));
}
