import { ModelError } from '../errors.js';
import type { ApplyReportRow } from '../skill/edit.js';
import type { SplitTasks } from '../tasks/task.js';
import { meanOf } from './attempts.js';
import { batchesOf, stepsPerEpoch } from './batches.js';
import { originalCandidate, type Candidate } from './candidate.js';
import { editBudgetAt } from './editBudget.js';
import { HeldOutScores } from './heldOutScores.js';
import type { EpochStep } from './history.js';
import type { PatchEdit } from './patch.js';
import type { RunContext } from './runContext.js';
import { step, type StepEnd } from './step.js';

/** What is trained, and on what. */
export interface Training {
  readonly skill: string;
  readonly memory: string | undefined;
  readonly tasks: SplitTasks;
}

/** Why training stopped where it did. */
export type StopReason = 'epochs-done' | 'no-headroom' | 'no-training-tasks' | 'patience' | 'cap';

/** What training came to: the best skill found, and all that was tried on the way. */
export interface Trained {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly heldOut: HeldOutScores | undefined;
  readonly stopped: StopReason;
  readonly steps: readonly StepEnd[];
  /** What ended it, where a cap did. */
  readonly cap: string | undefined;
}

const nearlyNothing = 1e-9;

interface Progress {
  readonly current: Candidate;
  readonly best: Candidate;
  readonly steps: readonly StepEnd[];
  readonly epochSteps: readonly EpochStep[];
  readonly sinceBest: number;
}

/** Epochs of steps over the training tasks. The best skill is kept apart from the one that the run works on. */
export async function train(context: RunContext, training: Training, signal: AbortSignal): Promise<Trained> {
  const original = originalCandidate(training.skill);
  const gated = context.options.gate.rule !== 'off' && training.tasks.heldOut.length > 0;
  const heldOut = gated ? new HeldOutScores(context, training.tasks.heldOut, training.memory) : undefined;
  const first: Progress = { current: original, best: original, steps: [], epochSteps: [], sinceBest: 0 };
  const end = await runSteps(context, { ...training, original, heldOut }, first, signal);
  return { original, heldOut, best: end.progress.best, steps: end.progress.steps, stopped: end.stopped, cap: end.cap };
}

interface StepsEnd {
  readonly progress: Progress;
  readonly stopped: StopReason;
  readonly cap?: string;
}

async function runSteps(
  context: RunContext,
  training: Training & { readonly original: Candidate; readonly heldOut: HeldOutScores | undefined },
  first: Progress,
  signal: AbortSignal,
): Promise<StepsEnd> {
  const { heldOut, memory } = training;
  let progress = first;
  if (training.tasks.training.length === 0) return { progress, stopped: 'no-training-tasks' };
  try {
    await heldOut?.complete(training.original, { stage: 'baseline', step: 0 }, signal);
    for (const plan of stepPlans(context, training)) {
      const stopped = reasonToStop(context, training, progress);
      if (stopped !== undefined) return { progress, stopped };
      const earlierSteps = plan.firstOfEpoch ? [] : progress.epochSteps;
      const start = { ...plan, current: progress.current, memory, earlierSteps, heldOut };
      progress = after({ ...progress, epochSteps: earlierSteps }, await step(context, start, signal));
      recordStep(context, progress, plan);
    }
    return { progress, stopped: 'epochs-done' };
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'cap') return { progress, stopped: 'cap', cap: error.message };
    throw error;
  }
}

/** A step over every training task in which none failed leaves nothing to learn from. */
function isSatisfied({ tasks }: Training, progress: Progress): boolean {
  const last = progress.steps.at(-1)?.history;
  return last !== undefined && last.failed === 0 && last.attempted === tasks.training.length;
}

function reasonToStop(
  context: RunContext,
  training: Training & { readonly heldOut: HeldOutScores | undefined },
  progress: Progress,
): StopReason | undefined {
  if (!hasHeadroom(context, training, progress) || isSatisfied(training, progress)) return 'no-headroom';
  return progress.sinceBest >= context.options.stop.patience ? 'patience' : undefined;
}

/** Every step of the run with its batch and its scheduled budget, whatever becomes of the steps before it. */
function* stepPlans(context: RunContext, training: Training) {
  const { epochs, batchSize, seed } = context.options.train;
  const tasks = training.tasks.training;
  const total = epochs * stepsPerEpoch(tasks.length, batchSize);
  let number = 0;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for (const [index, batch] of batchesOf(tasks, { epoch, batchSize, seed }).entries()) {
      number++;
      const budget = editBudgetAt(number, total, context.options.edits);
      yield { step: number, epoch, batch, budget, firstOfEpoch: index === 0 };
    }
  }
}

function after(progress: Progress, end: StepEnd): Progress {
  const better = end.action === 'accept_new_best' || end.action === 'force_accept';
  return {
    current: end.current,
    best: better ? end.current : progress.best,
    steps: [...progress.steps, end],
    epochSteps: [...progress.epochSteps, end.history],
    sinceBest: better ? 0 : progress.sinceBest + 1,
  };
}

/** Full marks on every held-out task cannot be bettered by any edit. */
function hasHeadroom(
  context: RunContext,
  { heldOut, tasks }: Training & { readonly heldOut: HeldOutScores | undefined },
  progress: Progress,
): boolean {
  const known = heldOut?.rollouts(progress.best) ?? [];
  if (heldOut === undefined || known.length < tasks.heldOut.length) return true;
  return (meanOf(known, context.options.gate) ?? 0) < 1 - nearlyNothing;
}

function recordStep(
  context: RunContext,
  progress: Progress,
  plan: { readonly step: number; readonly epoch: number },
): void {
  const end = progress.steps.at(-1);
  if (end === undefined) return;
  context.record({
    kind: 'step-ended',
    step: plan.step,
    epoch: plan.epoch,
    action: end.action,
    metric: context.options.gate.metric,
    trainingScore: end.trainingScore,
    candidateScore: end.selection?.after,
    currentScore: end.selection?.before,
    bestScore: end.action === 'accept_new_best' ? end.selection?.after : end.selection?.before,
    bestHash: progress.best.hash,
    reason: reasonOf(end),
  });
}

function reasonOf(end: StepEnd): string {
  switch (end.action) {
    case 'accept_new_best':
    case 'accept':
      return 'held-out tasks scored higher';
    case 'force_accept':
      return 'the gate is off';
    case 'keep_as_branch':
      return 'held-out tasks scored the same; the edit stays as a working branch';
    case 'reject':
      return 'held-out tasks did not score higher';
    case 'skip_no_patches':
      return 'no edit was proposed';
    case 'skip_no_change':
      return 'no edit could be applied';
  }
}

/** The edits of steps that were not taken and the rows that did not apply, for the memory of what not to try again. */
export function notTaken(trained: Trained): {
  readonly edits: readonly PatchEdit[];
  readonly leftOut: readonly ApplyReportRow[];
} {
  const best = new Set(trained.best.edits);
  return {
    edits: trained.steps.flatMap((end) => end.tried).filter((each) => !best.has(each)),
    leftOut: trained.steps.flatMap((end) => end.report).filter((row) => row.outcome.kind !== 'applied'),
  };
}
