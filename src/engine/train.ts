import type { PackageFiles } from '../skill/package/packageFile.js';
import type { SplitTasks } from '../tasks/task.js';
import { originalCandidate, type Candidate, type DocumentSlot } from './candidate.js';
import { stepPlans, type StepPlan } from './stepPlans.js';
import { endEpoch, endsWithComparison, type EarlierText } from './epochs/endEpoch.js';
import type { KnownAttempts } from './epochs/compareEpoch.js';
import { keepsFront } from './front/choiceOptions.js';
import { TrainingFront } from './front/trainingFront.js';
import type { SlowUpdateEnd } from './epochs/slowUpdate.js';
import { cutOff } from './cutOff.js';
import { reasonToStop, type StopReason } from './reasonToStop.js';
import { recordStep } from './recordStep.js';
import { askingAhead } from './askAhead.js';
import { sealedAfter } from './certify/sealed.js';
import { attemptsAhead, firstAttempts } from './stages/attemptsAhead.js';
import { HeldOutScores } from './stages/heldOutScores.js';
import type { RunContext } from './runContext.js';
import { step, type StepEnd, type StepStart } from './step.js';

/** What is trained, and on what. */
export interface Training {
  /** The text that is changed: a skill, or the memory file that goes with one. */
  readonly text: string;
  /** The documents beside SKILL.md that are changed with it. */
  readonly files?: PackageFiles | undefined;
  readonly slot: DocumentSlot;
  readonly tasks: SplitTasks;
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about?: string;
  /** Steps that the run made before, of another document. */
  readonly stepsBefore?: number;
  /** What an earlier night began with, where that is no longer the text. */
  readonly earlier?: EarlierText | undefined;
  /** Scores that the run has already. */
  readonly scores?: HeldOutScores | undefined;
}

/** What training came to: the best skill found, and all that was tried on the way. */
export interface TrainingResult {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly heldOut: HeldOutScores | undefined;
  /** The candidates, where the run chose by more than the score. */
  readonly front?: TrainingFront | undefined;
  readonly stopped: StopReason;
  readonly steps: readonly StepEnd[];
  /** What the ends of its epochs came to; missing where none was compared. */
  readonly slowUpdates?: readonly SlowUpdateEnd[];
  /** The optimizer's notes as they are now. */
  readonly metaSkill?: string | undefined;
  /** What ended it, where a cap did. */
  readonly cap: string | undefined;
}

/** Where a run stands between two steps. The best skill is kept apart from the one that the run works on. */
interface Progress {
  readonly current: Candidate;
  readonly best: Candidate;
  readonly steps: readonly StepEnd[];
  readonly sinceBest: number;
  readonly epoch: EpochSoFar;
  readonly slowUpdates: readonly SlowUpdateEnd[];
  readonly metaSkill: string | undefined;
}

/** The skill that the epoch began with, and the attempts that it made. */
interface EpochSoFar {
  readonly first: Candidate;
  readonly known: readonly KnownAttempts[];
}

type TrainingStart = Training & {
  readonly original: Candidate;
  readonly heldOut: HeldOutScores | undefined;
  readonly front: TrainingFront | undefined;
};

/** Epochs of steps over the training tasks, until there is nothing left to learn, to try or to spend. */
export async function train(context: RunContext, training: Training, signal: AbortSignal): Promise<TrainingResult> {
  const original = originalCandidate(training.text, training.files);
  const { tasks, slot } = training;
  const front = keepsFront(context.options)
    ? new TrainingFront(context, { original, slot, tasks: tasks.training })
    : undefined;
  const gated = front === undefined && context.options.gate.rule !== 'off' && tasks.heldOut.length > 0;
  const scores = training.scores?.forSlot(slot);
  const heldOut = gated ? (scores ?? new HeldOutScores(context, tasks.heldOut, slot)) : undefined;
  const end = await runSteps(context, { ...training, original, heldOut, front }, signal);
  const { best, steps, slowUpdates, metaSkill } = end.progress;
  return { original, heldOut, front, best, steps, slowUpdates, metaSkill, stopped: end.stopped, cap: end.cap };
}

type StepsEnd = Pick<TrainingResult, 'stopped' | 'cap'> & { readonly progress: Progress };

async function runSteps(context: RunContext, training: TrainingStart, signal: AbortSignal): Promise<StepsEnd> {
  const { original, heldOut, front, slot } = training;
  let progress = atStart(context, original);
  if (training.tasks.training.length === 0) return { progress, stopped: 'no-training-tasks', cap: undefined };
  const plans = await stepPlans(context, training.tasks.training, training.stepsBefore ?? 0, signal);
  const ahead = heldOut && attemptsAhead(context, plans[0], { slot, current: original }, signal);
  try {
    const first = () => firstAttempts(context, plans[0], { slot, current: original });
    await askingAhead(context, () => measureOriginal(training, ahead, signal), first, signal);
    for (const plan of plans) {
      const stopped = reasonToStop(context, training, progress);
      if (stopped !== undefined) return { progress, stopped, cap: undefined };
      const likely = plan === plans.at(-1) ? sealedAfter(context, training) : undefined;
      const start = { ...stepStart(training, progress, plan), ahead, likely };
      const end = await step({ ...context, metaSkill: progress.metaSkill }, start, signal);
      progress = after(progress, end, front?.known());
      recordStep(context, training, { ...progress, end }, plan);
      progress = await afterEpoch(context, training, { progress, plan, plans }, signal);
    }
    return { progress, stopped: 'epochs-done', cap: undefined };
  } catch (error) {
    return { progress, stopped: 'cap', cap: cutOff(context, { made: progress.steps.length, of: plans.length }, error) };
  } finally {
    await ahead?.end();
  }
}

/** On held-out tasks, or on training tasks where a front is kept on them. */
async function measureOriginal(
  { original, heldOut, front }: TrainingStart,
  ahead: ReturnType<typeof attemptsAhead>,
  signal: AbortSignal,
): Promise<void> {
  await heldOut?.complete(original, { stage: 'baseline', step: 0 }, signal, ahead?.begin);
  await front?.begin(signal);
}

/** From the skill that the run works on, or from a candidate of the front. */
function stepStart(training: TrainingStart, { current, best, steps }: Progress, plan: StepPlan): StepStart {
  const { original, slot, about = '', heldOut, front } = training;
  const earlierSteps = steps.map((end) => end.history);
  const texts = { original, current: front?.parent(plan.step) ?? current, best };
  return { ...plan, ...texts, slot, about, earlierSteps, heldOut, front };
}

function atStart({ metaSkill }: RunContext, original: Candidate): Progress {
  const epoch = { first: original, known: [] };
  return { current: original, best: original, steps: [], sinceBest: 0, epoch, slowUpdates: [], metaSkill };
}

function after(progress: Progress, end: StepEnd, onFront?: readonly KnownAttempts[]): Progress {
  const known = onFront ?? [...progress.epoch.known, { hash: progress.current.hash, rollouts: end.rollouts }];
  return {
    ...progress,
    ...textsAfter(progress, end),
    steps: [...progress.steps, end],
    sinceBest: isBetter(end) ? 0 : progress.sinceBest + 1,
    epoch: { ...progress.epoch, known },
  };
}

function isBetter({ action }: Pick<SlowUpdateEnd, 'action'>): boolean {
  return action === 'accept_new_best' || action === 'force_accept';
}

function textsAfter({ best }: Progress, end: Pick<SlowUpdateEnd, 'action' | 'current'>) {
  return { current: end.current, best: isBetter(end) ? end.current : best };
}

function isLastOfEpoch(plan: StepPlan, plans: readonly StepPlan[]): boolean {
  return plans[plans.indexOf(plan) + 1]?.epoch !== plan.epoch;
}

/** What an epoch leaves beside its steps, once its last one is made. Where nothing is left to learn, nothing more is spent on it. */
async function afterEpoch(
  context: RunContext,
  training: TrainingStart,
  {
    progress,
    plan,
    plans,
  }: { readonly progress: Progress; readonly plan: StepPlan; readonly plans: readonly StepPlan[] },
  signal: AbortSignal,
): Promise<Progress> {
  if (!isLastOfEpoch(plan, plans)) return progress;
  const stopped = reasonToStop(context, training, progress);
  const next = (now: Progress): Progress => ({ ...now, epoch: { first: now.current, known: [] } });
  const { slot, original, heldOut, front, tasks, earlier } = training;
  const compares = endsWithComparison(context, { epoch: plan.epoch, earlier });
  if (!compares || (stopped !== undefined && stopped !== 'patience')) return next(progress);
  const { current, best, metaSkill } = progress;
  const steps = progress.steps.map((end) => end.history);
  const texts = { ...progress.epoch, original, current, best, earlier };
  const ending = { ...plan, ...texts, slot, heldOut, front, steps, tasks: tasks.training };
  const end = await endEpoch({ ...context, metaSkill }, ending, signal);
  const { slowUpdate } = end;
  if (slowUpdate === undefined) return next({ ...progress, metaSkill: end.metaSkill });
  return next({
    ...progress,
    ...textsAfter(progress, slowUpdate),
    sinceBest: isBetter(slowUpdate) ? 0 : progress.sinceBest,
    slowUpdates: [...progress.slowUpdates, slowUpdate],
    metaSkill: end.metaSkill,
  });
}
