import type { SplitTasks } from '../tasks/task.js';
import type { Candidate } from './candidate.js';
import type { RunContext } from './runContext.js';
import { reasonOf } from './stages/gate.js';
import type { HeldOutScores } from './stages/heldOutScores.js';
import type { StepEnd } from './step.js';

/** The run that a step belongs to, as far as its figures need it. */
interface StepOfRun {
  readonly tasks: SplitTasks;
  readonly original: Candidate;
  readonly heldOut: HeldOutScores | undefined;
}

/** The two texts that a run goes on with after a step. */
interface TextsAfter {
  readonly current: Candidate;
  readonly best: Candidate;
}

/** Writes down what a step came to, with the figures of every text that it knows. */
export function recordStep(
  context: RunContext,
  training: StepOfRun,
  { end, ...progress }: TextsAfter & { readonly end: StepEnd },
  { step: number, epoch }: { readonly step: number; readonly epoch: number },
): void {
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
function heldOutFigures({ heldOut, original: first }: StepOfRun, progress: TextsAfter, end: StepEnd) {
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
