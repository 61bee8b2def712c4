import { textHashOf } from '../makeTask.js';
import type { Side, Task } from '../task.js';

/** Where a task was placed; the id and the hash of its text find it again after its checks or its text were edited. */
export interface RememberedTask {
  readonly side: Side;
  /** True once it has been a training task: whatever a person does with it later, it proves nothing. */
  readonly trained: boolean;
  readonly id: string;
  readonly text: string;
}

/** Which side each task of one skill is on, by content hash. Tasks that are gone stay: they may come back. */
export type RememberedSplit = ReadonlyMap<string, RememberedTask>;

export const emptySplit: RememberedSplit = new Map();

export type Recall = (task: Task) => Pick<RememberedTask, 'side' | 'trained'> | undefined;

/**
 * What is remembered of a task: by its content, else by its text (its checks were edited), else by its id if the
 * task of that id is gone (its text was edited). A task that training has seen never turns up among the held-out ones.
 */
export function recaller(known: RememberedSplit, tasks: readonly Task[]): Recall {
  const present = new Set(tasks.map((task) => task.contentHash));
  const byText = new Map<string, RememberedTask>();
  const byId = new Map<string, RememberedTask>();
  for (const [hash, remembered] of [...known].sort(([a], [b]) => (a < b ? -1 : 1))) {
    byText.set(remembered.text, warier(byText.get(remembered.text), remembered));
    if (!present.has(hash)) byId.set(remembered.id, warier(byId.get(remembered.id), remembered));
  }
  return (task) => known.get(task.contentHash) ?? byText.get(textHashOf(task)) ?? byId.get(task.id);
}

export function remember(known: RememberedSplit, placed: ReadonlyMap<Task, Side>, recall: Recall): RememberedSplit {
  const next = new Map(known);
  for (const [task, side] of placed) {
    const trained = side === 'training' || (recall(task)?.trained ?? false);
    next.set(task.contentHash, { side, trained, id: task.id, text: textHashOf(task) });
  }
  return next;
}

function warier(first: RememberedTask | undefined, second: RememberedTask): RememberedTask {
  return first?.trained === true ? first : second;
}
