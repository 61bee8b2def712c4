import type { TaskSource } from '../../src/tasks/makeTask.js';
import type { SplitTasks } from '../../src/tasks/task.js';
import { aCheck, aHeldOutTask, aSealedTask, aTrainingTask } from './aTask.js';

type Row = (side: keyof Omit<SplitTasks, 'setAside'>, index: number) => Partial<TaskSource>;

/** So many tasks on each side, named `training-0`, `heldOut-3` and so on; by default all of them want “alpha”. */
export function aSplit(
  counts: { readonly training?: number; readonly heldOut?: number; readonly sealed?: number } = {},
  row: Row = () => wants('alpha'),
): SplitTasks {
  const { training = 6, heldOut = 6, sealed = 0 } = counts;
  const named = (side: Parameters<Row>[0], index: number): Partial<TaskSource> => ({
    id: `${side}-${index}`,
    prompt: `Job ${side} ${index}.`,
    ...row(side, index),
  });
  return {
    training: numbers(training).map((index) => aTrainingTask(named('training', index))),
    heldOut: numbers(heldOut).map((index) => aHeldOutTask(named('heldOut', index))),
    sealed: numbers(sealed).map((index) => aSealedTask(named('sealed', index))),
    setAside: [],
  };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Checks that each of these words is said. */
export function wants(...words: readonly string[]): Partial<TaskSource> {
  return { checks: words.map((text) => aCheck('contains', { text })) };
}
