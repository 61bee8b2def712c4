import { makeTask } from '../../tasks/makeTask.js';
import type { TrainingTask } from '../../tasks/task.js';

/** Ways to put the same request that ask for nothing more: what an answer must be stays what the checks say. */
const dressings: readonly ((prompt: string) => string)[] = [
  (prompt) => `Next on my list: ${prompt}`,
  (prompt) => `${prompt}\n\nThanks in advance.`,
  (prompt) => `A colleague passed this on to me: ${prompt}`,
  (prompt) => `Sorry for one more. ${prompt}`,
];

/** A task that was made for this run, and the id of the one it was made from. */
export interface SyntheticTask {
  readonly task: TrainingTask;
  readonly madeFrom: string;
}

/**
 * Up to `each` variants of every training task, the same in every run. They take part in training alone: their type
 * keeps them off every other side.
 */
export function variantsOf(tasks: readonly TrainingTask[], each: number): readonly SyntheticTask[] {
  return tasks.flatMap((task) =>
    dressings.slice(0, each).map((dress, index): SyntheticTask => {
      const made = makeTask({ ...task, id: `${task.id}~${index + 1}`, prompt: dress(task.prompt) });
      return { task: { ...made, side: 'training' }, madeFrom: task.id };
    }),
  );
}
