import type { Task } from '../../tasks/task.js';
import { randomFor, shuffled } from '../random.js';

/**
 * The batches of one epoch: every task once, in an order that depends on seed and epoch, with the kinds of task (their
 * first tag, unless `kindOf` says otherwise) spread evenly, so that no batch is made of one kind alone.
 */
export function batchesOf<T extends Task>(
  tasks: readonly T[],
  plan: {
    readonly epoch: number;
    readonly batchSize: number;
    readonly seed: number;
    readonly kindOf?: (task: Task) => string;
  },
): readonly (readonly T[])[] {
  const order = stratified(shuffled(tasks, randomFor('batches', plan.seed, plan.epoch)), plan.kindOf ?? firstTag);
  return chunksOf(order, plan.batchSize);
}

/** Consecutive slices of at most `size`. */
export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export function stepsPerEpoch(tasks: number, batchSize: number): number {
  return Math.ceil(tasks / batchSize);
}

/** Orders so that each kind takes evenly spaced places: the i-th of m tasks of a kind stands at (i + 1/2) / m. */
function stratified<T extends Task>(tasks: readonly T[], kindOf: (task: Task) => string): readonly T[] {
  const byKind = new Map<string, T[]>();
  for (const task of tasks) {
    const kind = kindOf(task);
    byKind.set(kind, [...(byKind.get(kind) ?? []), task]);
  }
  return [...byKind.values()]
    .flatMap((kind) => kind.map((task, index) => ({ task, place: (index + 0.5) / kind.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ task }) => task);
}

function firstTag(task: Task): string {
  return task.tags[0] ?? '';
}
