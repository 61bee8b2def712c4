import type { Edit } from '../skill/edits/edit.js';
import { endlessSentence } from './stages/attempts.js';
import { reasonOf } from './stages/gate.js';
import { mostRejectedShown } from './stages/history.js';
import type { TrainingResult } from './train.js';
import type { AttemptCount } from './watchRun.js';

/** Why a run proposes nothing: four different sentences, because four different things mend it. */
export type NothingCause = 'backend-failed' | 'nothing-to-learn' | 'edits-did-not-help' | 'edits-did-not-apply' | 'cap';

export interface NoProposal {
  readonly cause: NothingCause;
  readonly reason: string;
  /** True where not even the skill as it is was scored. */
  readonly unmeasured?: boolean;
  /** Every edit that was tried or refused. */
  readonly tried: readonly TriedEdit[];
  /** What the skill as it is scored on held-out tasks; undefined where none was scored. */
  readonly baseline: { readonly score: number; readonly tasks: number } | undefined;
}

/** An edit that is not proposed, and why. */
export interface TriedEdit {
  readonly edit: Edit;
  readonly why: string;
}

type Reason = Pick<NoProposal, 'cause' | 'reason' | 'unmeasured'>;

/** The answer to "why was nothing proposed". */
export function noProposalReason(
  trained: TrainingResult,
  lost: readonly string[],
  counted: AttemptCount,
  rejected: readonly unknown[] = [],
): NoProposal {
  const told = withRejected(reasonFor(trained, lost, counted), trained, rejected.length);
  const endless = endlessSentence(trained.heldOut?.rollouts(trained.original) ?? []);
  return { ...told, reason: `${told.reason} ${endless}`.trim(), ...whatWasTried([trained]) };
}

/** An optimizer that proposes nothing may have kept back what it was told not to propose again: that can be forgotten. */
function withRejected(reason: Reason, { steps }: TrainingResult, rejected: number): Reason {
  const proposedNone = reason.cause === 'edits-did-not-help' && steps.every(({ report }) => report.length === 0);
  if (!proposedNone || rejected === 0) return reason;
  const told = Math.min(rejected, mostRejectedShown);
  const kept =
    told === 1
      ? 'It was told of 1 edit that was not taken earlier, which it is not to propose again.'
      : `It was told of ${told} edits that were not taken earlier, which it is not to propose again.`;
  return { ...reason, reason: `${reason.reason} ${kept} ${toForget}` };
}

const toForget =
  'If one of them deserves another try, forget them (“Forget Edits Not Taken” in VS Code, “whetstone rejected --forget” in a terminal) and run again.';

/** What a person would ask next: which edits were tried, and how the skill itself does. */
export function whatWasTried(parts: readonly TrainingResult[]): Pick<NoProposal, 'tried' | 'baseline'> {
  const tried = parts
    .flatMap(({ steps }) => steps)
    .flatMap((step) =>
      step.report.map(({ edit, outcome }) => ({
        edit,
        why: outcome.kind === 'applied' ? reasonOf(step) : outcome.detail,
      })),
    );
  const scored = parts[0]?.stopped === 'no-answers' ? undefined : parts[0]?.heldOut?.scored(parts[0].original);
  const baseline = scored?.score === undefined ? undefined : { score: scored.score, tasks: scored.tasks };
  return { tried, baseline };
}

function reasonFor(trained: TrainingResult, lost: readonly string[], counted: AttemptCount): Reason {
  if (counted.attempts > 0 && counted.invalid === counted.attempts) {
    const reason = `No task could be attempted: ${sentence(counted.last)} Nothing was scored and nothing was changed.`;
    return { cause: 'backend-failed', reason };
  }
  switch (trained.stopped) {
    case 'cap':
      return atCap(trained);
    case 'no-headroom':
      return { cause: 'nothing-to-learn', reason: nothingFailed(trained) };
    case 'no-training-tasks':
      return {
        cause: 'nothing-to-learn',
        reason: 'There is nothing to learn from: no task is on the training side. Add tasks and run again.',
      };
    case 'no-baseline':
      return notAttempted('held-out', counted);
    case 'no-answers':
      return notAnswered(trained);
    case 'epochs-done':
    case 'patience':
      return withoutBetterSkill(trained, lost, counted);
  }
}

function atCap({ cap = '', heldOut, original, steps }: TrainingResult): Reason {
  return steps.length === 0 && heldOut?.scored(original).score === undefined
    ? { cause: 'cap', reason: `The run ended at its cap before anything was measured. ${cap}`.trim(), unmeasured: true }
    : { cause: 'cap', reason: `The run ended at its cap before it found a better skill. ${cap}`.trim() };
}

/** Told apart from a score: no instruction of the skill was tried. */
function notAnswered({ heldOut, original }: TrainingResult): Reason {
  const failures = (heldOut?.rollouts(original) ?? []).flatMap(({ attempts }) =>
    attempts.flatMap((attempt) => (attempt.kind === 'scored' ? (attempt.failure ?? []) : [])),
  );
  const cure = 'Raise answers.target, or let the model think less. Nothing was scored and nothing was changed.';
  return {
    cause: 'backend-failed',
    reason: `The model answered none of the ${failures.length} held-out tasks. ${failures[0] ?? ''} ${cure}`,
  };
}

/** Before the first step every held-out task passed; after one it is the training tasks that leave nothing to learn from. */
function nothingFailed({ steps }: TrainingResult): string {
  return steps.length === 0
    ? 'There is nothing to learn: the skill already passes its tasks.'
    : 'There is nothing to learn from: no training task failed. Held-out tasks may still fail: add training tasks like them.';
}

/** Of several stages that came to nothing, the reason that a person can do most about. */
export function mostTelling(reasons: readonly NoProposal[]): NoProposal {
  const order: readonly NothingCause[] = ['backend-failed', 'cap', 'edits-did-not-help', 'edits-did-not-apply'];
  const found = order.flatMap((cause) => reasons.find((reason) => reason.cause === cause) ?? []);
  return (
    found[0] ??
    reasons[0] ?? {
      cause: 'nothing-to-learn',
      reason: 'Neither the skill nor the memory file was to be trained.',
      ...whatWasTried([]),
    }
  );
}

/** What selection preferred did not stand the last check against the original. */
export function notShown(verdict: string): Reason {
  return { cause: 'edits-did-not-help', reason: `Edits were tried, and nothing is staged. ${verdict}` };
}

const notHigher = 'Edits were tried, but none made the held-out tasks score higher. The skill stays as it is.';
const notBetter =
  'Edits were tried, but with none the training tasks scored higher, or the same with a shorter skill. The skill stays as it is.';

function withoutBetterSkill(trained: TrainingResult, lost: readonly string[], counted: AttemptCount): Reason {
  const rows = trained.steps.flatMap((step) => step.report);
  if (trained.steps.every((step) => step.report.length === 0)) return withoutEdits(trained, lost, counted);
  if (rows.some((row) => row.outcome.kind === 'applied')) {
    return { cause: 'edits-did-not-help', reason: trained.front === undefined ? notHigher : notBetter };
  }
  const [first] = rows;
  const reason =
    first === undefined || first.outcome.kind === 'applied'
      ? 'Edits were proposed, but none could be applied to the skill.'
      : `Edits were proposed, but none could be applied to the skill. The first one: ${first.outcome.detail}`;
  return { cause: 'edits-did-not-apply', reason };
}

function notAttempted(side: 'training' | 'held-out', { last }: AttemptCount): Reason {
  const why = sentence(last);
  const reason =
    side === 'training'
      ? `No training task could be attempted: ${why} The skill stays as it is.`
      : `No held-out task could be attempted: ${why} The skill stays as it is.`;
  return { cause: 'backend-failed', reason };
}

function sentence(last: string | undefined): string {
  return (last ?? 'every call failed').replace(/(?<![.\s])[.\s]*$/, '.');
}

/** Where the optimizer says how many edits a step takes. */
const noneTaken =
  'Edits were proposed, and asked how many to take the optimizer wanted none of them. The skill stays as it is.';

function withoutEdits(trained: TrainingResult, lost: readonly string[], counted: AttemptCount): Reason {
  if (trained.steps.every((step) => step.history.attempted === 0)) return notAttempted('training', counted);
  const failing = trained.steps.some((step) => step.history.failed > 0);
  if (!failing && trained.front === undefined)
    return { cause: 'nothing-to-learn', reason: 'There is nothing to learn: no training task failed under the skill.' };
  const unused = trained.steps.find(({ action }) => action === 'skip_no_rewrite');
  if (unused !== undefined)
    return {
      cause: 'edits-did-not-apply',
      reason: `The skill was to be rewritten, and ${reasonOf(unused)} The skill stays as it is.`,
    };
  if (trained.steps.some(({ action, why }) => action === 'skip_no_patches' && why !== undefined))
    return { cause: 'edits-did-not-help', reason: noneTaken };
  const [first] = lost;
  return first === undefined
    ? {
        cause: 'edits-did-not-help',
        reason: failing
          ? 'The optimizer looked at the failures and proposed no edit.'
          : 'No training task failed, and the optimizer proposed no edit that makes the skill cost less.',
      }
    : { cause: 'backend-failed', reason: `The optimizer gave no usable reply (${first}). The skill stays as it is.` };
}
