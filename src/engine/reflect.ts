import { readEdits } from '../prompts/editReply.js';
import {
  contrastPrompt,
  reflectFailuresPrompt,
  reflectionReply,
  reflectionReplySchema,
  reflectSuccessesPrompt,
} from '../prompts/reflection.js';
import { renderPrompt } from '../prompts/renderPrompt.js';
import type { TrainingTask } from '../tasks/task.js';
import { askOptimizer } from './askOptimizer.js';
import { chunksOf } from './batches.js';
import { concurrently } from './concurrently.js';
import { contrastEvidence, failingCriteria, failureEvidence, outputContract, successEvidence } from './evidence.js';
import { historyText, preferencesText, type PastStep } from './history.js';
import type { Patch, PatchSource } from './patch.js';
import { randomFor, shuffled } from './random.js';
import { hasFailed, spreadOf, type Metric, type Rollout } from './attempts.js';
import type { RunContext } from './runContext.js';

/** Where a step stands when it reflects. */
export interface Reflection {
  readonly step: number;
  readonly skill: string;
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about: string;
  /** The scheduled budget: no analyst proposes more. */
  readonly budget: number;
  readonly earlierSteps: readonly PastStep[];
}

interface Minibatch {
  readonly source: Exclude<PatchSource, 'merged'>;
  readonly rollouts: readonly Rollout<TrainingTask>[];
}

/** Lets analysts look at what failed and what succeeded. Only training evidence has the type to come in here. */
export async function reflectOn(
  context: RunContext,
  evidence: readonly Rollout<TrainingTask>[],
  reflection: Reflection,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  const contrast = contrastBatch(context, evidence);
  const contrasted = contrast === undefined ? [] : await analyse(context, [contrast], reflection, signal);
  if (contrasted.some((patch) => patch.edits.length > 0)) return contrasted;
  return analyse(context, minibatches(context, evidence, reflection.step), reflection, signal);
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
  const scored = evidence.filter((rollout) => rollout.attempts.some((attempt) => attempt.kind === 'scored'));
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

async function analyse(
  context: RunContext,
  batches: readonly Minibatch[],
  reflection: Reflection,
  signal: AbortSignal,
): Promise<readonly Patch[]> {
  context.record({ kind: 'stage', stage: 'reflect', step: reflection.step, planned: batches.length });
  const answers = await concurrently(batches, context.options.reflect.analysts, async (batch, index) => {
    const answer = await askOptimizer(
      context,
      {
        prompt: promptFor(context, batch, reflection),
        reply: reflectionReply,
        replySchema: reflectionReplySchema,
        about: 'reflect',
        step: reflection.step,
        part: `${batch.source}:${index}`,
      },
      signal,
    );
    return { batch, answer };
  });
  const lost: string[] = [];
  const patches: Patch[] = [];
  for (const { batch, answer } of answers) {
    if (answer.kind === 'lost') {
      lost.push(`${batch.source} analyst: ${answer.reason}`);
      continue;
    }
    const { edits, malformed } = readEdits(answer.value.edits);
    lost.push(...malformed.map((reason) => `${batch.source} analyst: ${reason}`));
    patches.push({
      source: batch.source,
      size: batch.rollouts.length,
      edits: edits.slice(0, reflection.budget).map(({ edit, tasks }) => ({
        edit,
        source: batch.source,
        tasks: lessonsOf(tasks, batch),
        support: batch.rollouts.length,
      })),
      failures: answer.value.failure_summary.map((each) => ({
        type: each.failure_type,
        count: each.count,
        description: each.description,
      })),
    });
  }
  await recordPatches(context, reflection.step, patches, lost);
  return patches;
}

function promptFor(context: RunContext, batch: Minibatch, reflection: Reflection): string {
  const metric: Metric = context.options.gate;
  const shared = {
    budget: reflection.budget,
    skill: reflection.skill,
    guardrail: { words: [reflection.about, outputContract(batch.rollouts)].filter((part) => part !== '').join('\n\n') },
    preferences: { words: preferencesText(context.options.preferences) },
    history: { words: historyText(reflection.earlierSteps, context.rejected) },
  };
  const criteria = { words: failingCriteria(batch.rollouts, metric) };
  switch (batch.source) {
    case 'failure':
      return renderPrompt(
        reflectFailuresPrompt,
        { ...shared, criteria, attempts: { words: failureEvidence(batch.rollouts, metric) } },
        context.prompts,
      );
    case 'success':
      return renderPrompt(
        reflectSuccessesPrompt,
        { ...shared, attempts: { words: successEvidence(batch.rollouts, metric) } },
        context.prompts,
      );
    case 'contrast':
      return renderPrompt(
        contrastPrompt,
        { ...shared, criteria, attempts: { words: contrastEvidence(batch.rollouts, metric) } },
        context.prompts,
      );
  }
}

/** The tasks an edit names, as far as the analyst saw them; all of them where it names none. */
function lessonsOf(named: readonly string[], batch: Minibatch): readonly string[] {
  const seen = batch.rollouts.map((rollout) => rollout.task.id);
  const known = named.filter((id) => seen.includes(id));
  return known.length > 0 ? known : seen;
}

async function recordPatches(
  context: RunContext,
  step: number,
  patches: readonly Patch[],
  lost: readonly string[],
): Promise<void> {
  const rows = await Promise.all(
    patches.map(async (patch) => ({
      source: patch.source,
      size: patch.size,
      edits: patch.edits.length,
      textHash: await context.texts.put(JSON.stringify(patch, undefined, 2)),
    })),
  );
  context.record({ kind: 'patches', step, patches: rows, failures: patches.flatMap((patch) => patch.failures), lost });
}
