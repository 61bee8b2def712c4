import type { SplitTasks } from '../tasks/task.js';
import type { Candidate } from './candidate.js';
import type { RunContext } from './runContext.js';
import { isThoughtOnly, meanOf, scoredAttempts } from './stages/attempts.js';
import type { HeldOutScores } from './stages/heldOutScores.js';
import type { StepEnd } from './step.js';

/** Why training stopped where it did. */
export type StopReason =
  | 'epochs-done'
  | 'no-headroom'
  | 'no-training-tasks'
  | 'no-baseline'
  | 'no-answers'
  | 'patience'
  | 'cap';

/** What a run trains. */
interface TrainingOfRun {
  readonly tasks: SplitTasks;
  readonly original: Candidate;
  readonly heldOut: HeldOutScores | undefined;
  /** Where more than the score counts, a skill that passes everything can still get better. */
  readonly front?: object | undefined;
}

/** Where it stands. */
interface RunSoFar {
  readonly best: Candidate;
  readonly steps: readonly StepEnd[];
  readonly sinceBest: number;
}

/** Why no further step should be made; undefined where one should. */
export function reasonToStop(context: RunContext, training: TrainingOfRun, progress: RunSoFar): StopReason | undefined {
  if (!hasBaseline(training)) return 'no-baseline';
  if (!hasAnswers(training)) return 'no-answers';
  if (!hasHeadroom(context, training, progress) || isSatisfied(training, progress)) return 'no-headroom';
  return progress.sinceBest >= context.options.stop.patience ? 'patience' : undefined;
}

/** No edit can be shown to be better than what could not be scored: nothing more is spent on it. */
function hasBaseline({ heldOut, original }: TrainingOfRun): boolean {
  return heldOut?.rollouts(original).some((rollout) => scoredAttempts(rollout).length > 0) ?? true;
}

/** Where thinking used up the room for every answer, the limit was measured and not the skill. */
function hasAnswers({ heldOut, original }: TrainingOfRun): boolean {
  return heldOut?.rollouts(original).some(({ attempts }) => !attempts.every(isThoughtOnly)) ?? true;
}

const nearlyNothing = 1e-9;

/** Full marks on every held-out task cannot be bettered by any edit. */
function hasHeadroom(context: RunContext, { heldOut, tasks }: TrainingOfRun, { best }: RunSoFar): boolean {
  const known = heldOut?.rollouts(best) ?? [];
  if (heldOut === undefined || known.length < tasks.heldOut.length) return true;
  return (meanOf(known, context.options.gate) ?? 0) < 1 - nearlyNothing;
}

/** A step over every training task in which none failed leaves nothing to learn from. */
function isSatisfied({ tasks, front }: TrainingOfRun, progress: RunSoFar): boolean {
  if (front !== undefined) return false;
  const last = progress.steps.at(-1)?.history;
  return last !== undefined && last.failed === 0 && last.attempted === tasks.training.length;
}
