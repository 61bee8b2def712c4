import type { ApplyReportRow } from '../skill/edit.js';
import type { TrainingTask } from '../tasks/task.js';
import { aggregate } from './aggregate.js';
import { hasFailed, meanOf, type Rollout } from './attempts.js';
import type { Candidate, Update } from './candidate.js';
import type { HeldOutScores, Selection } from './heldOutScores.js';
import type { EpochStep } from './history.js';
import type { PatchEdit } from './patch.js';
import { reflectOn } from './reflect.js';
import { rollOut } from './rollOut.js';
import type { RunContext } from './runContext.js';
import type { StepAction } from './runEvents.js';
import { select } from './select.js';
import { update } from './update.js';

/** Where a step starts from. */
export interface StepStart {
  readonly step: number;
  readonly epoch: number;
  readonly current: Candidate;
  readonly batch: readonly TrainingTask[];
  readonly budget: number;
  readonly memory: string | undefined;
  readonly earlierSteps: readonly EpochStep[];
  /** Undefined where the gate is off: nothing is spent on held-out tasks, and every lawful edit is taken. */
  readonly heldOut: HeldOutScores | undefined;
}

/** What a step came to. */
export interface StepEnd {
  readonly action: StepAction;
  /** The skill that the run goes on with. */
  readonly current: Candidate;
  readonly selection: Selection | undefined;
  readonly trainingScore: number | undefined;
  readonly tried: readonly PatchEdit[];
  readonly report: readonly ApplyReportRow[];
  readonly history: EpochStep;
}

/** One step: attempt the training tasks, reflect, merge, choose, change the skill, and see whether it got better. */
export async function step(context: RunContext, start: StepStart, signal: AbortSignal): Promise<StepEnd> {
  const at = { step: start.step, skill: start.current.text };
  const rollouts = await rollOutBatch(context, start, signal);
  const patches = await reflectOn(
    context,
    rollouts,
    { ...at, budget: start.budget, earlierSteps: start.earlierSteps },
    signal,
  );
  const merged = await aggregate(context, patches, at, signal);
  const edits = await select(context, merged, { ...at, budget: start.budget }, signal);
  const updated = update(context, start.current, edits);
  await recordUpdate(context, start.step, updated);
  const { action, selection } = await evaluate(start, edits, updated, signal);
  const taken =
    action === 'accept' || action === 'accept_new_best' || action === 'force_accept' || action === 'keep_as_branch';
  return {
    action,
    current: taken ? updated.candidate : start.current,
    selection,
    trainingScore: meanOf(rollouts, context.options.gate),
    tried: edits,
    report: updated.report,
    history: {
      step: start.step,
      action,
      failed: rollouts.filter((rollout) => hasFailed(rollout, context.options.gate)).length,
      attempted: rollouts.length,
      patterns: patches.flatMap((patch) => patch.failures),
      edits: edits.map((each) => each.edit),
    },
  };
}

function rollOutBatch(
  context: RunContext,
  start: StepStart,
  signal: AbortSignal,
): Promise<readonly Rollout<TrainingTask>[]> {
  const { attempts, seed } = context.options.train;
  const numbers = Array.from({ length: attempts }, (_, index) => index + 1);
  context.record({ kind: 'stage', stage: 'rollout', step: start.step, planned: start.batch.length * attempts });
  const family = `training:${seed}:${start.epoch}`;
  const plan = {
    stage: 'rollout' as const,
    step: start.step,
    skill: start.current.text,
    memory: start.memory,
    attempts: numbers,
    family,
  };
  return rollOut(context, start.batch, plan, signal);
}

async function evaluate(
  start: StepStart,
  edits: readonly PatchEdit[],
  updated: Update,
  signal: AbortSignal,
): Promise<{ readonly action: StepAction; readonly selection: Selection | undefined }> {
  if (edits.length === 0) return { action: 'skip_no_patches', selection: undefined };
  if (updated.candidate.hash === start.current.hash) return { action: 'skip_no_change', selection: undefined };
  if (start.heldOut === undefined) return { action: 'force_accept', selection: undefined };
  const selection = await start.heldOut.compare(start.current, updated.candidate, start.step, signal);
  switch (selection.outcome) {
    case 'higher':
      return { action: 'accept_new_best', selection };
    case 'equal':
      return { action: 'keep_as_branch', selection };
    case 'lower':
      return { action: 'reject', selection };
  }
}

async function recordUpdate(context: RunContext, at: number, { candidate, report }: Update): Promise<void> {
  const counted = (kind: ApplyReportRow['outcome']['kind']): number =>
    report.filter((row) => row.outcome.kind === kind).length;
  context.record({
    kind: 'applied',
    step: at,
    applied: counted('applied'),
    unmatched: counted('unmatched'),
    refused: counted('refused'),
    candidateHash: await context.texts.put(candidate.text),
    reportHash: await context.texts.put(JSON.stringify(report, undefined, 2)),
  });
}
