import type { ApplyReportRow } from '../skill/edits/edit.js';
import type { TrainingTask } from '../tasks/task.js';
import { askingAhead, type LikelyAttempt } from './askAhead.js';
import { aggregate } from './stages/aggregate.js';
import type { TrainingFront } from './front/trainingFront.js';
import type { AttemptsAhead } from './stages/attemptsAhead.js';
import { hasFailed, meanOf, scoredAttempts, type Rollout } from './stages/attempts.js';
import { gate } from './stages/gate.js';
import type { Candidate, DocumentSlot } from './candidate.js';
import type { Selection } from './stages/gate.js';
import type { HeldOutScores } from './stages/heldOutScores.js';
import type { PastStep } from './stages/history.js';
import { editBudget, mostProposed } from './stages/editBudget.js';
import { shownToOptimizer } from './stages/editLimits.js';
import { reflectOn } from './stages/reflect.js';
import { rollOut, trainingPlan } from './stages/rollOut.js';
import type { RunContext } from './runContext.js';
import type { StepAction } from './journal/upstreamWords.js';
import { remind } from './stages/reminders.js';
import { select } from './stages/select.js';
import { refuseSilence } from './stages/silence.js';
import { update, withoutOverwritten } from './stages/update.js';

/** Where a step starts from. */
export interface StepStart {
  readonly step: number;
  readonly epoch: number;
  readonly original: Candidate;
  readonly current: Candidate;
  readonly best: Candidate;
  readonly batch: readonly TrainingTask[];
  /** The same tasks by the batches that are accumulated. */
  readonly batches: readonly (readonly TrainingTask[])[];
  readonly budget: number;
  readonly slot: DocumentSlot;
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about: string;
  readonly earlierSteps: readonly PastStep[];
  /** Undefined where the gate is off: nothing is spent on held-out tasks, and every lawful edit is taken. */
  readonly heldOut: HeldOutScores | undefined;
  /** Attempts of its tasks that were begun before it. */
  readonly ahead?: AttemptsAhead | undefined;
  /** What is attempted once its candidate is decided on, where that is known: see {@link askingAhead}. */
  readonly likely?: ((candidate: Candidate) => readonly LikelyAttempt[]) | undefined;
  /** The candidates of the run, where it chooses by more than the score: they take the place of held-out tasks. */
  readonly front?: TrainingFront | undefined;
}

/** What a step came to. */
export interface StepEnd {
  readonly action: StepAction;
  /** The skill that the run goes on with. */
  readonly current: Candidate;
  /** The text that was tried, whether or not it was taken. */
  readonly candidate: Candidate;
  readonly selection: Selection | undefined;
  /** Why there was nothing to decide, where that is not the same every time. */
  readonly why?: string | undefined;
  readonly trainingScore: number | undefined;
  /** What it learned from. */
  readonly rollouts: readonly Rollout<TrainingTask>[];
  readonly report: readonly ApplyReportRow[];
  readonly history: PastStep;
}

/** One step: the six stages in their order, each given what the one before it made. */
export async function step(context: RunContext, start: StepStart, signal: AbortSignal): Promise<StepEnd> {
  const { current, batch, batches, earlierSteps } = start;
  const shown = shownToOptimizer(context, current, start.about);
  const at = { step: start.step, ...shown, budget: mostProposed(context, start.budget) };
  const rollouts = start.front?.rollouts(current, batch) ?? (await attempted(context, start, signal));
  const texts = start.slot(current);
  const patches = await reflectOn(context, rollouts, { ...at, texts, earlierSteps, batches }, signal);
  await refuseSilence(context, 'questions', signal);
  const merged = await aggregate(context, patches, at, signal);
  const seen = tasksOf(context, rollouts);
  const budget = await editBudget(context, merged, { ...at, ...seen, scheduled: start.budget, earlierSteps }, signal);
  const edits = await select(context, merged, { ...at, budget }, signal);
  const reminder = await remind(context, patches, { step: start.step, from: current }, signal);
  const items = reminder === undefined ? edits : [...edits, reminder];
  const applied = await update(context, items, { ...at, from: current }, signal);
  const overwritten = { original: start.original, op: 'appendix' } as const;
  const updated = await withoutOverwritten(context, overwritten, applied, signal);
  const made = { step: start.step, parent: current, batch };
  const decided = await askingAhead(
    context,
    () => start.front?.admit(made, updated, signal) ?? gate(start, updated, signal),
    () => start.likely?.(updated.candidate) ?? [],
    signal,
  );
  return {
    ...decided,
    ...(decided.action === 'skip_no_patches' && edits.length < merged.length ? { why: noneWanted } : {}),
    candidate: updated.candidate,
    trainingScore: meanOf(rollouts, context.options.gate),
    rollouts,
    report: updated.report,
    history: {
      step: start.step,
      action: decided.action,
      ...seen,
      patterns: patches.flatMap((patch) => patch.failures),
      report: updated.report,
      changes: updated.changes,
    },
  };
}

function attempted(context: RunContext, start: StepStart, signal: AbortSignal): Promise<StepEnd['rollouts']> {
  const { batch, ahead } = start;
  const plan = trainingPlan(context, start);
  context.record({ kind: 'stage', stage: plan.stage, step: plan.step, planned: batch.length * plan.attempts.length });
  ahead?.arrive();
  return rollOut(context, batch, { ...plan, begun: ahead }, signal);
}

const noneWanted = 'the optimizer wanted none of the edits that were proposed';

/** Tasks with a failed attempt, and those that could be attempted at all. */
function tasksOf({ options }: RunContext, rollouts: readonly Rollout<TrainingTask>[]) {
  return {
    failed: rollouts.filter((rollout) => hasFailed(rollout, options.gate)).length,
    attempted: rollouts.filter((rollout) => scoredAttempts(rollout).length > 0).length,
  };
}
