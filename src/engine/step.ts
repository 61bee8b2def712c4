import type { ApplyReportRow } from '../skill/edits/edit.js';
import type { TrainingTask } from '../tasks/task.js';
import { aggregate } from './stages/aggregate.js';
import { hasFailed, meanOf, scoredAttempts, type Rollout } from './stages/attempts.js';
import type { Candidate, DocumentSlot, Update } from './candidate.js';
import type { HeldOutScores, Selection } from './stages/heldOutScores.js';
import type { PastStep } from './stages/history.js';
import type { Patch } from './patch.js';
import { reflectOn } from './stages/reflect.js';
import { rollOut } from './stages/rollOut.js';
import type { RunContext } from './runContext.js';
import type { StepAction } from './journal/runEvents.js';
import { select } from './stages/select.js';
import { update } from './stages/update.js';

/** Where a step starts from. */
export interface StepStart {
  readonly step: number;
  readonly epoch: number;
  readonly current: Candidate;
  readonly best: Candidate;
  readonly batch: readonly TrainingTask[];
  readonly budget: number;
  readonly slot: DocumentSlot;
  /** What the optimizer should know about the document; empty for a skill. */
  readonly about: string;
  readonly earlierSteps: readonly PastStep[];
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
  readonly report: readonly ApplyReportRow[];
  readonly history: PastStep;
}

/** One step: attempt the training tasks, reflect, merge, choose, change the skill, and see whether it got better. */
export async function step(context: RunContext, start: StepStart, signal: AbortSignal): Promise<StepEnd> {
  const at = { step: start.step, skill: start.current.text, budget: start.budget };
  const rollouts = await rollOutBatch(context, start, signal);
  const patches = await reflectOn(
    context,
    rollouts,
    { ...at, about: start.about, earlierSteps: start.earlierSteps },
    signal,
  );
  const merged = await aggregate(context, patches, at, signal);
  const edits = await select(context, merged, at, signal);
  const updated = update(context, start.current, edits);
  await recordUpdate(context, start.step, updated);
  const { action, selection } = await evaluate(start, updated, signal);
  const stays = action === 'reject' || action === 'skip_no_patches' || action === 'skip_no_change';
  return {
    action,
    current: stays ? start.current : updated.candidate,
    selection,
    trainingScore: meanOf(rollouts, context.options.gate),
    report: updated.report,
    history: pastStep(context, { start, action, rollouts, patches, updated }),
  };
}

function rollOutBatch(
  context: RunContext,
  start: StepStart,
  signal: AbortSignal,
): Promise<readonly Rollout<TrainingTask>[]> {
  const { attempts, seed } = context.options.train;
  context.record({ kind: 'stage', stage: 'rollout', step: start.step, planned: start.batch.length * attempts });
  const plan = {
    stage: 'rollout' as const,
    step: start.step,
    ...start.slot(start.current),
    attempts: Array.from({ length: attempts }, (_, index) => index + 1),
    family: `training:${seed}:${start.epoch}`,
  };
  return rollOut(context, start.batch, plan, signal);
}

/** The strict rule on held-out tasks: better than the skill the run goes on with, and than the best it has seen. */
async function evaluate(
  start: StepStart,
  { candidate, report }: Update,
  signal: AbortSignal,
): Promise<{ readonly action: StepAction; readonly selection: Selection | undefined }> {
  const { step: at, current, best, heldOut } = start;
  if (report.length === 0) return { action: 'skip_no_patches', selection: undefined };
  if (candidate.hash === current.hash) return { action: 'skip_no_change', selection: undefined };
  if (heldOut === undefined) return { action: 'force_accept', selection: undefined };
  const selection = await heldOut.compare(current, candidate, at, signal);
  if (selection.outcome === 'lower') return { action: 'reject', selection };
  const overBest = best.hash === current.hash ? selection : await heldOut.compare(best, candidate, at, signal);
  if (isPreferred(overBest, best, candidate)) return { action: 'accept_new_best', selection };
  return { action: selection.outcome === 'higher' ? 'accept' : 'keep_as_branch', selection };
}

/** The higher score, and between equals the shorter text; but where no task passes at all, equal proves nothing. */
function isPreferred({ outcome, after }: Selection, before: Candidate, candidate: Candidate): boolean {
  return outcome === 'higher' || (outcome === 'equal' && after > 0 && candidate.text.length < before.text.length);
}

function pastStep(
  context: RunContext,
  {
    start,
    action,
    rollouts,
    patches,
    updated,
  }: {
    readonly start: StepStart;
    readonly action: StepAction;
    readonly rollouts: readonly Rollout<TrainingTask>[];
    readonly patches: readonly Patch[];
    readonly updated: Update;
  },
): PastStep {
  return {
    step: start.step,
    action,
    failed: rollouts.filter((rollout) => hasFailed(rollout, context.options.gate)).length,
    attempted: rollouts.filter((rollout) => scoredAttempts(rollout).length > 0).length,
    patterns: patches.flatMap((patch) => patch.failures),
    report: updated.report,
  };
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
