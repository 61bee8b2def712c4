import { lengthOf, type Candidate, type Update } from '../candidate.js';
import type { StepAction } from '../journal/upstreamWords.js';
import type { HeldOutScores } from './heldOutScores.js';

/** How a candidate did against the current skill on the held-out tasks, by the strict rule. */
export interface Selection {
  readonly outcome: 'higher' | 'equal' | 'lower';
  /** Means over the tasks that both texts have a score for; undefined where there is none. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Tasks that were not needed for the decision. */
  readonly open: readonly string[];
  /** Where no task may get worse: those that did, and rejected the candidate by that. */
  readonly worse?: readonly string[];
}

/** What a candidate has to be better than. */
interface GateStart {
  readonly step: number;
  /** The skill that the step started from. */
  readonly current: Candidate;
  /** The best skill of the run so far. */
  readonly best: Candidate;
  /** Undefined where the gate is off: nothing is spent on held-out tasks, and every lawful edit is taken. */
  readonly heldOut: Pick<HeldOutScores, 'compare'> | undefined;
}

/** What the gate decided, the skill that the run goes on with, and the comparison where there was one. */
export interface GateEnd {
  readonly action: StepAction;
  readonly current: Candidate;
  readonly selection: Selection | undefined;
  /** Why there was nothing to decide, where that is not the same every time. */
  readonly why?: string | undefined;
}

/** The strict rule on held-out tasks: better than the skill the run goes on with, and than the best it has seen. */
export async function gate(start: GateStart, updated: Update, signal: AbortSignal): Promise<GateEnd> {
  const { step, current, best, heldOut } = start;
  const { candidate } = updated;
  const skipped = skippedStep(current, updated);
  if (skipped !== undefined) return { ...skipped, current, selection: undefined };
  if (heldOut === undefined) return { action: 'force_accept', current: candidate, selection: undefined };
  const selection = await heldOut.compare(current, candidate, step, signal);
  if (selection.outcome === 'lower') return { action: 'reject', current, selection };
  const overBest = best.hash === current.hash ? selection : await heldOut.compare(best, candidate, step, signal);
  if (isPreferred(overBest, best, candidate)) return { action: 'accept_new_best', current: candidate, selection };
  return { action: selection.outcome === 'higher' ? 'accept' : 'keep_as_branch', current: candidate, selection };
}

/** Why there is nothing to decide; undefined where there is. */
export function skippedStep(
  current: Candidate,
  { candidate, report, noRewrite }: Update,
): Pick<GateEnd, 'action' | 'why'> | undefined {
  if (noRewrite !== undefined) return { action: 'skip_no_rewrite', why: `no rewrite could be used: ${noRewrite}` };
  if (report.length === 0) return { action: 'skip_no_patches' };
  return candidate.hash === current.hash ? { action: 'skip_no_change' } : undefined;
}

/** The higher score, and between equals the shorter text; but where no task passes at all, equal proves nothing. */
function isPreferred({ outcome, after }: Selection, before: Candidate, candidate: Candidate): boolean {
  return outcome === 'higher' || (outcome === 'equal' && (after ?? 0) > 0 && lengthOf(candidate) < lengthOf(before));
}

/** The sentence that the journal keeps beside a decision. */
export function reasonOf({ action, selection, why }: Pick<GateEnd, 'action' | 'selection' | 'why'>): string {
  if (why !== undefined) return why;
  if (action === 'reject' && selection?.worse !== undefined) return worseReason(selection.worse);
  return action === 'accept_new_best' && selection?.outcome === 'equal' ? shorterReason : reasons[action];
}

const mostNamed = 3;

/** Told to a person alone: the optimizer learns nothing of held-out tasks. */
function worseReason(tasks: readonly string[]): string {
  const more = tasks.length - mostNamed;
  const names = `${tasks.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return tasks.length === 1
    ? `a held-out task got worse, which gate.noRegression rules out: ${names}`
    : `held-out tasks got worse, which gate.noRegression rules out: ${names}`;
}

const shorterReason = 'held-out tasks scored the same, and the skill got shorter';

const reasons: Readonly<Record<StepAction, string>> = {
  accept_new_best: 'held-out tasks scored higher',
  accept: 'held-out tasks scored higher than before, though not higher than the best of the run',
  force_accept: 'taken without being measured',
  keep_as_branch: 'held-out tasks scored the same; the run goes on from this edit, and does not propose it by itself',
  reject: 'held-out tasks did not score higher',
  skip_no_patches: 'no edit was proposed',
  skip_no_rewrite: 'no rewrite could be used',
  skip_no_change: 'no edit could be applied',
};
