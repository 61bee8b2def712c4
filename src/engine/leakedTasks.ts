import type { Proposal } from '../ports/proposal.js';
import { storedTextKeys } from '../tasks/split/nearDuplicates.js';
import type { HeldOutTask, SplitTasks } from '../tasks/task.js';
import type { SplitLeak } from '../tasks/split/splitTasks.js';
import type { RunContext } from './runContext.js';

/** A held-out task that training has seen, and how. */
interface LeakedTask {
  readonly id: string;
  readonly reason: string;
}

/** The tasks of a run without those that can prove nothing. */
interface ProvingTasks {
  readonly tasks: SplitTasks;
  /** Nothing is left to prove an edit on, because all of it was seen in training. */
  readonly allLeaked: boolean;
}

/**
 * Leaves out of selection and certification what training has seen, and names it: held-out tasks that the split reports,
 * and those that plainly stand on both sides.
 */
export function withoutLeaks(
  context: Pick<RunContext, 'record'>,
  tasks: SplitTasks,
  reported: readonly SplitLeak[],
): ProvingTasks {
  const leaked = leakedHoldOut(tasks, reported);
  for (const { id, reason } of leaked)
    context.record({ kind: 'note', text: `The held-out task “${id}” cannot prove anything: ${reason}.` });
  const ids = new Set(leaked.map(({ id }) => id));
  const heldOut = tasks.heldOut.filter(({ id }) => !ids.has(id));
  return { tasks: { ...tasks, heldOut }, allLeaked: leaked.length > 0 && heldOut.length === 0 };
}

/**
 * The held-out tasks that the run of a proposal has learned from, whatever they are called and whichever side they were on
 * since. Of a proposal of an earlier version only the tasks that taught its edits are known, by their ids.
 */
export function learnedLeaks(
  heldOut: readonly HeldOutTask[],
  { trainedOn, documents }: Pick<Proposal, 'trainedOn' | 'documents'>,
): readonly SplitLeak[] {
  const texts = new Set(trainedOn);
  const taught = new Set(documents.flatMap(({ edits }) => edits.flatMap(({ lessonsFrom }) => lessonsFrom)));
  const isLearned = (task: HeldOutTask): boolean =>
    trainedOn === undefined ? taught.has(task.id) : storedTextKeys(task).some((key) => texts.has(key));
  return heldOut
    .filter(isLearned)
    .map((task) => ({ task, side: 'heldOut', reason: 'the run that made the proposal has learned from it' }));
}

function leakedHoldOut(tasks: SplitTasks, reported: readonly SplitLeak[]): readonly LeakedTask[] {
  const told = new Map(
    reported.filter(({ side }) => side === 'heldOut').map(({ task, reason }) => [task.id, reason] as const),
  );
  const trained = new Map(tasks.training.map((task) => [task.contentHash, task.id]));
  for (const { id, contentHash } of tasks.heldOut) {
    const twin = trained.get(contentHash);
    if (twin !== undefined && !told.has(id)) told.set(id, `it is the training task “${twin}”`);
  }
  return [...told].map(([id, reason]) => ({ id, reason }));
}
