import type { TrainingTask } from '../../tasks/task.js';
import { analyse, type Minibatch, type Reflection } from './analyst.js';
import { hasFailed, scoredAttempts, spreadOf, type Metric, type Rollout } from './attempts.js';
import { chunksOf } from './batches.js';
import { concurrently } from '../concurrently.js';
import type { Patch } from '../patch.js';
import { randomFor, shuffled } from '../random.js';
import type { RunContext } from '../runContext.js';

/** Lets analysts look at what failed and what succeeded. Only training evidence has the type to come in here. */
export async function reflectOn(
  context: RunContext,
  evidence: readonly Rollout<TrainingTask>[],
  reflection: Reflection,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  const contrast = contrastBatch(context, evidence);
  const contrasted = contrast === undefined ? [] : await analyseAll(context, [contrast], reflection, signal);
  if (contrasted.some((patch) => patch.edits.length > 0)) return contrasted;
  return analyseAll(context, minibatches(context, evidence, reflection.step), reflection, signal);
}

/** The minibatches of failures and of successes, in an order that depends on the seed and the step. */
function minibatches(
  context: RunContext,
  evidence: readonly Rollout<TrainingTask>[],
  step: number,
): readonly Minibatch[] {
  const { seed } = context.options.train;
  const { minibatchSize, failureOnly } = context.options.reflect;
  const metric: Metric = context.options.gate;
  const scored = evidence.filter((rollout) => scoredAttempts(rollout).length > 0);
  const failures = shuffled(
    scored.filter((rollout) => hasFailed(rollout, metric)),
    randomFor('failures', seed, step),
  );
  const successes = shuffled(
    scored.filter((rollout) => !hasFailed(rollout, metric)),
    randomFor('successes', seed, step),
  );
  return [
    ...chunksOf(failures, minibatchSize).map((rollouts) => ({ source: 'failure' as const, rollouts })),
    // With nothing failing there is nothing to mend; what succeeds already needs no edit.
    ...(failureOnly || failures.length === 0
      ? []
      : chunksOf(successes, minibatchSize).map((rollouts) => ({ source: 'success' as const, rollouts }))),
  ];
}

/** The tasks whose attempts disagree most, if any do. */
function contrastBatch(context: RunContext, evidence: readonly Rollout<TrainingTask>[]): Minibatch | undefined {
  const metric: Metric = context.options.gate;
  const widest = evidence
    .filter((rollout) => spreadOf(rollout, metric) > 0)
    .sort((a, b) => spreadOf(b, metric) - spreadOf(a, metric))
    .slice(0, context.options.reflect.contrastTasks);
  return widest.length === 0 ? undefined : { source: 'contrast', rollouts: widest };
}

async function analyseAll(
  context: RunContext,
  batches: readonly Minibatch[],
  reflection: Reflection,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  context.record({ kind: 'stage', stage: 'reflect', step: reflection.step, planned: batches.length });
  const analysed = await concurrently(batches, context.options.reflect.analysts, (batch, index) =>
    analyse(context, { batch, index }, reflection, signal),
  );
  const patches = analysed.flatMap((each) => each.patch ?? []);
  const rows = await Promise.all(
    patches.map(async (patch) => ({
      source: patch.source,
      size: patch.size,
      edits: patch.edits.length,
      textHash: await context.texts.put(JSON.stringify(patch, undefined, 2)),
    })),
  );
  context.record({
    kind: 'patches',
    step: reflection.step,
    patches: rows,
    failures: patches.flatMap((patch) => patch.failures),
    lost: analysed.flatMap((each) => each.lost),
  });
  return patches;
}
