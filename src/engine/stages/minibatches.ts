import type { TrainingTask } from '../../tasks/task.js';
import { keepsFront } from '../front/choiceOptions.js';
import { chunksOf } from '../stepPlans.js';
import type { AnalystSource } from '../patch.js';
import { randomFor, shuffled } from '../random.js';
import type { RunContext } from '../runContext.js';
import { hasFailed, scoredAttempts, spreadOf, type Rollout } from './attempts.js';

/** What one analyst looks at. */
export interface Minibatch {
  /** Which batch of the step it is taken from. */
  readonly number: number;
  readonly source: AnalystSource;
  readonly rollouts: readonly Rollout<TrainingTask>[];
}

/** What one batch of a step gave. */
export interface Batch {
  readonly number: number;
  readonly rollouts: readonly Rollout<TrainingTask>[];
}

/** The evidence of a step by its batches; all of it together where it has one. */
export function inBatches(
  evidence: readonly Rollout<TrainingTask>[],
  batches: readonly (readonly TrainingTask[])[] | undefined,
): readonly Batch[] {
  if (batches === undefined || batches.length < 2) return [{ number: 0, rollouts: evidence }];
  return batches.map((tasks, number) => ({
    number,
    rollouts: evidence.filter((rollout) => tasks.includes(rollout.task)),
  }));
}

/** The minibatches of failures and of successes, in an order that depends on the seed and the step. */
export function minibatches(
  context: RunContext,
  { number, rollouts: evidence }: Batch,
  step: number,
): readonly Minibatch[] {
  const { gate: metric, train, reflect } = context.options;
  const scored = evidence.filter((rollout) => scoredAttempts(rollout).length > 0);
  const failures = shuffled(
    scored.filter((rollout) => hasFailed(rollout, metric)),
    randomFor('failures', train.seed, step),
  );
  const successes = shuffled(
    scored.filter((rollout) => !hasFailed(rollout, metric)),
    randomFor('successes', train.seed, step),
  );
  return [
    ...chunksOf(failures, reflect.minibatchSize).map((rollouts) => ({
      source: 'failure' as const,
      number,
      rollouts,
    })),
    // With nothing failing there is nothing to mend; what succeeds already needs no edit, unless it costs too much.
    ...(reflect.failureOnly || (failures.length === 0 && !keepsFront(context.options))
      ? []
      : chunksOf(successes, reflect.minibatchSize).map((rollouts) => ({
          source: 'success' as const,
          number,
          rollouts,
        }))),
  ];
}

/** The tasks whose attempts disagree most, if any do. */
export function contrastBatch(context: RunContext, { number, rollouts: evidence }: Batch): Minibatch | undefined {
  const { gate: metric, reflect } = context.options;
  const widest = evidence
    .filter((rollout) => spreadOf(rollout, metric) > 0)
    .sort((a, b) => spreadOf(b, metric) - spreadOf(a, metric))
    .slice(0, reflect.contrastTasks);
  return widest.length === 0 ? undefined : { source: 'contrast', number, rollouts: widest };
}

/** The tasks that something proposed names, as far as whoever proposed it saw them; all of them where it names none. */
export function lessonsOf(named: readonly string[], { rollouts }: Pick<Batch, 'rollouts'>): readonly string[] {
  const seen = rollouts.map((rollout) => rollout.task.id);
  const known = named.filter((id) => seen.includes(id));
  return known.length > 0 ? known : seen;
}
