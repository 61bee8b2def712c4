import type { Task, TrainingTask } from '../tasks/task.js';
import { randomFor, shuffled } from './random.js';
import type { BatchPlan, RunContext } from './runContext.js';
import type { RunOptions } from './runOptions.js';

/** What a step is given: its number in the run, its epoch, its tasks and the most edits it may make. */
export interface StepPlan {
  readonly step: number;
  readonly epoch: number;
  /** All its tasks. */
  readonly batch: readonly TrainingTask[];
  /** The same tasks by the batches that are accumulated: each is reflected on apart. */
  readonly batches: readonly (readonly TrainingTask[])[];
  readonly budget: number;
}

/** Every step of a run with its batch and its scheduled budget, whatever becomes of the steps before it. */
export async function stepPlans(
  context: RunContext,
  tasks: readonly TrainingTask[],
  stepsBefore: number,
  signal: AbortSignal,
): Promise<readonly StepPlan[]> {
  const { epochs, batchSize, accumulation, seed } = context.options.train;
  const plans = Array.from({ length: epochs }, (_, index) => ({ epoch: index + 1, batchSize, seed }));
  await context.hooks?.prepareBatches?.(tasks, plans, signal);
  const planned = plans.flatMap((each) =>
    chunksOf(plannedBatches(context, tasks, each), accumulation).map((batches) => ({
      epoch: each.epoch,
      batch: batches.flat(),
      batches,
    })),
  );
  return planned.map((plan, index) => ({
    ...plan,
    step: stepsBefore + index + 1,
    budget: editBudgetAt(index + 1, planned.length, context.options.edits),
  }));
}

/** The batches of one epoch: as the environments plan them, then the rest in the usual order. */
export function plannedBatches(
  { hooks }: Pick<RunContext, 'hooks'>,
  tasks: readonly TrainingTask[],
  plan: BatchPlan,
): readonly (readonly TrainingTask[])[] {
  if (hooks === undefined) return batchesOf(tasks, plan);
  const { planned, rest } = hooks.planBatches(tasks, plan);
  return [...planned, ...(rest.length === 0 ? [] : batchesOf(rest, { ...plan, kindOf: typeOfTask(hooks) }))];
}

/** The type of a task: what its environment says, or its first tag. */
export function typeOfTask(hooks: RunContext['hooks']): (task: Task) => string {
  return (task) => hooks?.taskType(task) ?? firstTag(task);
}

/**
 * The batches of one epoch: every task once, in an order that depends on seed and epoch, with the kinds of task (their
 * first tag, unless `kindOf` says otherwise) spread evenly, so that no batch is made of one kind alone.
 */
export function batchesOf<T extends Task>(
  tasks: readonly T[],
  plan: BatchPlan & { readonly kindOf?: (task: Task) => string },
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

/** The batches of a step, and how many such steps go through so many tasks once. */
export function stepsPerEpoch(
  tasks: number,
  { batchSize, accumulation }: Pick<RunOptions['train'], 'batchSize' | 'accumulation'>,
): { readonly steps: number; readonly batches: number } {
  const batches = Math.ceil(tasks / batchSize);
  return { steps: Math.ceil(batches / accumulation), batches: Math.min(batches, accumulation) };
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

/** How many edits step `step` (from 1) of `total` may make. The first step is already decayed, as in the paper's trainer. */
export function editBudgetAt(
  step: number,
  total: number,
  plan: Pick<RunOptions['edits'], 'budget' | 'minimum' | 'schedule'>,
): number {
  if (total <= 1 || plan.schedule === 'constant') return plan.budget;
  const t = Math.min(step, total) / total;
  const span = plan.budget - plan.minimum;
  const exact =
    plan.schedule === 'linear' ? plan.budget - span * t : plan.minimum + 0.5 * span * (1 + Math.cos(Math.PI * t));
  return Math.max(plan.minimum, roundHalfToEven(exact));
}

/** The published sequences come from a language that rounds halves to the even neighbour. */
function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (Math.abs(rest - 0.5) > 1e-9) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
