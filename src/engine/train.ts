import { ModelError } from '../errors.js';
import type { SplitTasks } from '../tasks/task.js';
import { isThoughtOnly, meanOf, scoredAttempts } from './stages/attempts.js';
import { originalCandidate, type Candidate, type DocumentSlot } from './candidate.js';
import { stepPlans, type StepPlan } from './stepPlans.js';
import { attemptsAhead } from './stages/attemptsAhead.js';
import { reasonOf } from './stages/gate.js';
import { HeldOutScores } from './stages/heldOutScores.js';
import type { RunContext } from './runContext.js';
import { step, type StepEnd } from './step.js';

/** What is trained, and on what. */
export interface Training {
  /** The text that is changed: a skill, or the memory file that goes with one. */
  readonly text: string;
  readonly slot: DocumentSlot;
  readonly tasks: SplitTasks;
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about?: string;
  /** Steps that the run made before, of another document. */
  readonly stepsBefore?: number;
  /** Scores that the run has already. */
  readonly scores?: HeldOutScores | undefined;
}

/** Why training stopped where it did. */
export type StopReason =
  | 'epochs-done'
  | 'no-headroom'
  | 'no-training-tasks'
  | 'no-baseline'
  | 'no-answers'
  | 'patience'
  | 'cap';

/** What training came to: the best skill found, and all that was tried on the way. */
export interface TrainingResult {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly heldOut: HeldOutScores | undefined;
  readonly stopped: StopReason;
  readonly steps: readonly StepEnd[];
  /** What ended it, where a cap did. */
  readonly cap: string | undefined;
}

/** Where a run stands between two steps. The best skill is kept apart from the one that the run works on. */
interface Progress {
  readonly current: Candidate;
  readonly best: Candidate;
  readonly steps: readonly StepEnd[];
  readonly sinceBest: number;
}

type TrainingStart = Training & { readonly original: Candidate; readonly heldOut: HeldOutScores | undefined };

/** Epochs of steps over the training tasks, until there is nothing left to learn, to try or to spend. */
export async function train(context: RunContext, training: Training, signal: AbortSignal): Promise<TrainingResult> {
  const original = originalCandidate(training.text);
  const gated = context.options.gate.rule !== 'off' && training.tasks.heldOut.length > 0;
  const scores = training.scores?.forSlot(training.slot);
  const heldOut = gated ? (scores ?? new HeldOutScores(context, training.tasks.heldOut, training.slot)) : undefined;
  const end = await runSteps(context, { ...training, original, heldOut }, signal);
  return { original, heldOut, best: end.progress.best, steps: end.progress.steps, stopped: end.stopped, cap: end.cap };
}

interface StepsEnd {
  readonly progress: Progress;
  readonly stopped: StopReason;
  readonly cap: string | undefined;
}

async function runSteps(context: RunContext, training: TrainingStart, signal: AbortSignal): Promise<StepsEnd> {
  const { original, heldOut, slot, about = '' } = training;
  let progress: Progress = { current: original, best: original, steps: [], sinceBest: 0 };
  if (training.tasks.training.length === 0) return { progress, stopped: 'no-training-tasks', cap: undefined };
  const plans = stepPlans(context, training.tasks.training, training.stepsBefore);
  const ahead = heldOut && attemptsAhead(context, plans[0], { slot, current: original }, signal);
  try {
    await heldOut?.complete(original, { stage: 'baseline', step: 0 }, signal, ahead?.begin);
    for (const plan of plans) {
      const stopped = reasonToStop(context, training, progress);
      if (stopped !== undefined) return { progress, stopped, cap: undefined };
      const { current, best, steps } = progress;
      const earlierSteps = steps.map((end) => end.history);
      const start = { ...plan, current, best, slot, about, earlierSteps, heldOut, ahead };
      progress = after(progress, await step(context, start, signal));
      recordStep(context, training, progress, plan);
    }
    return { progress, stopped: 'epochs-done', cap: undefined };
  } catch (error) {
    return cutOff(context, { progress, plans }, error);
  } finally {
    await ahead?.end();
  }
}

/** What a cap ends is kept; every other error goes on. */
function cutOff(
  { record }: RunContext,
  { progress, plans }: { readonly progress: Progress; readonly plans: readonly StepPlan[] },
  error: unknown,
): StepsEnd {
  if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
  const skipped = `Training was cut off after ${progress.steps.length} of ${plans.length} steps; the rest was skipped.`;
  record({ kind: 'note', text: `${skipped} ${error.message}` });
  return { progress, stopped: 'cap', cap: error.message };
}

function reasonToStop(context: RunContext, training: TrainingStart, progress: Progress): StopReason | undefined {
  if (!hasBaseline(training)) return 'no-baseline';
  if (!hasAnswers(training)) return 'no-answers';
  if (!hasHeadroom(context, training, progress) || isSatisfied(training, progress)) return 'no-headroom';
  return progress.sinceBest >= context.options.stop.patience ? 'patience' : undefined;
}

/** No edit can be shown to be better than what could not be scored: nothing more is spent on it. */
function hasBaseline({ heldOut, original }: TrainingStart): boolean {
  return heldOut?.rollouts(original).some((rollout) => scoredAttempts(rollout).length > 0) ?? true;
}

/** Where thinking used up the room for every answer, the limit was measured and not the skill. */
function hasAnswers({ heldOut, original }: TrainingStart): boolean {
  return heldOut?.rollouts(original).some(({ attempts }) => !attempts.every(isThoughtOnly)) ?? true;
}

const nearlyNothing = 1e-9;

/** Full marks on every held-out task cannot be bettered by any edit. */
function hasHeadroom(context: RunContext, { heldOut, tasks }: TrainingStart, { best }: Progress): boolean {
  const known = heldOut?.rollouts(best) ?? [];
  if (heldOut === undefined || known.length < tasks.heldOut.length) return true;
  return (meanOf(known, context.options.gate) ?? 0) < 1 - nearlyNothing;
}

/** A step over every training task in which none failed leaves nothing to learn from. */
function isSatisfied({ tasks }: Training, progress: Progress): boolean {
  const last = progress.steps.at(-1)?.history;
  return last !== undefined && last.failed === 0 && last.attempted === tasks.training.length;
}

function after(progress: Progress, end: StepEnd): Progress {
  const better = end.action === 'accept_new_best' || end.action === 'force_accept';
  return {
    current: end.current,
    best: better ? end.current : progress.best,
    steps: [...progress.steps, end],
    sinceBest: better ? 0 : progress.sinceBest + 1,
  };
}

function recordStep(
  context: RunContext,
  training: TrainingStart,
  progress: Progress,
  { step: number, epoch }: { readonly step: number; readonly epoch: number },
): void {
  const end = progress.steps.at(-1);
  if (end === undefined) return;
  const { scores, on } = heldOutFigures(training, progress, end);
  const { training: trainingTasks, heldOut: heldOutTasks } = training.tasks;
  context.record({
    kind: 'step-ended',
    step: number,
    epoch,
    action: end.action,
    metric: context.options.gate.metric,
    trainingScore: end.trainingScore,
    ...scores,
    scoredOn: {
      ...on,
      training: end.history.attempted,
      trainingTasks: trainingTasks.length,
      heldOutTasks: training.heldOut === undefined ? 0 : heldOutTasks.length,
    },
    bestHash: progress.best.hash,
    currentHash: progress.current.hash,
    reason: reasonOf(end),
  });
}

/** Each figure is of one text, over the tasks that it was tried on: a candidate is dropped or taken before it saw all. */
function heldOutFigures({ heldOut, original: first }: TrainingStart, progress: Progress, end: StepEnd) {
  const scored = (text: Candidate | undefined) =>
    (text === undefined ? undefined : heldOut?.scored(text)) ?? { score: undefined, tasks: 0 };
  const candidate = scored(end.selection === undefined ? undefined : end.candidate);
  const current = scored(progress.current);
  const best = scored(progress.best);
  const original = scored(first);
  return {
    scores: {
      candidateScore: candidate.score,
      currentScore: current.score,
      bestScore: best.score,
      originalScore: original.score,
    },
    on: { candidate: candidate.tasks, current: current.tasks, best: best.tasks, original: original.tasks },
  };
}
