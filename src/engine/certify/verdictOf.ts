import { sha256 } from '../../hash.js';
import { ModelError } from '../../errors.js';
import { taskComparisons } from '../../gate/verdict/figures.js';
import { minimumStrictTasks, type StrictPair } from '../../gate/statistics/strictRule.js';
import {
  certificationVerdict,
  errorBudgetEmpty,
  strictCutShort,
  strictVerdict,
  tooFewTasks,
  unmeasured,
} from '../../wording/verdicts.js';
import type { PassCost } from '../../wording/verdictSentences.js';
import type { SideResult, TaskComparison, Verdict } from '../../gate/verdict/verdict.js';
import type { Proposal } from '../../ports/proposal.js';
import type { HeldOutTask } from '../../tasks/task.js';
import { meanScore, scoredAttempts, type Rollout } from '../stages/attempts.js';
import {
  storedText,
  textsOf,
  type Candidate,
  type DocumentSlot,
  type TargetInput,
  type TextPair,
} from '../candidate.js';
import type { PackageFiles } from '../../skill/package/packageFile.js';
import { certify, claimFor, type CertificationResult, type ClaimInput } from './certify.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';
import type { RunContext, StoredCertification } from '../runContext.js';

/** The verdict on a candidate, with the evidence beneath. */
export interface VerdictEvidence {
  readonly verdict: Verdict;
  readonly comparisons: readonly TaskComparison[];
  readonly answers: Proposal['answers'];
}

/** What a verdict is about: the two texts, what selection knows of them, and the tasks that decide. */
type Subject = ClaimInput & {
  readonly heldOut: readonly HeldOutTask[];
  /** Why there are none, where training has seen all of them. */
  readonly allLeaked?: boolean;
};

/** The verdict under the run's rule: certified on fresh attempts, taken from the selection, or not measured at all. */
export async function judgeCandidate(
  context: RunContext,
  subject: Subject,
  signal: AbortSignal,
): Promise<VerdictEvidence> {
  const { rule } = context.options.gate;
  if (rule === 'off') return withoutEvidence(unmeasured('gate-off'));
  if (subject.heldOut.length === 0)
    return withoutEvidence(unmeasured(subject.allLeaked === true ? 'leaked' : 'no-held-out'));
  if (rule === 'strict') return byStrictRule(context, subject, signal);
  const claim = claimFor(subject);
  return inWords(context, subject, await certify(context, { ...subject, claim }, signal));
}

function inWords(context: RunContext, subject: Subject, certified: CertificationResult): VerdictEvidence {
  const { heldOut } = subject;
  switch (certified.kind) {
    case 'too-few-tasks':
      return withoutEvidence(tooFewTasks(heldOut.length));
    case 'budget-empty':
      return withoutEvidence(errorBudgetEmpty(certified.budget, heldOut.length, certified.spentBy));
    case 'cut-off':
      context.record({ kind: 'note', text: `The certification was cut off. ${certified.cap}` });
      return measured(context, subject, certified.stored);
    case 'decided':
      return measured(context, subject, certified.stored);
  }
}

function measured(context: RunContext, subject: Subject, stored: StoredCertification): VerdictEvidence {
  const { state, answers, repeatsEqual = false } = stored;
  const { heldOut } = subject;
  const { metric } = context.options.gate;
  const copied = context.byHand === true && repeatsEqual;
  const tasks = { certification: state, metric, taskIds: heldOut.map((task) => task.id), copied };
  return {
    verdict: certificationVerdict(tasks, { endedBy: 'cap', cost: passCost(context, subject) }),
    comparisons: state.test.passes === 0 ? [] : taskComparisons(tasks),
    answers,
  };
}

/** What one more pass over both texts takes; without a price where nobody knows it. */
function passCost(context: RunContext, { original, candidate, heldOut, memory }: Subject): PassCost {
  const before = { ...textsOf(original), memory: memory.before };
  const after = { ...textsOf(candidate), memory: memory.after };
  return context.passCost?.({ before, after }, heldOut) ?? { calls: heldOut.length * 2, usd: undefined };
}

/** The paper's gate: the selection's scores are the verdict. Only a text that no selection saw is evaluated here. */
async function byStrictRule(context: RunContext, subject: Subject, signal: AbortSignal): Promise<VerdictEvidence> {
  const { original, candidate, heldOut, scores } = subject;
  if (scores === undefined) return withoutEvidence(unmeasured('no-held-out'));
  if (heldOut.length < minimumStrictTasks) return withoutEvidence(tooFewTasks(heldOut.length, minimumStrictTasks));
  try {
    await scores.compare(original, candidate, 0, signal);
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
    context.record({ kind: 'note', text: `The comparison was cut off. ${error.message}` });
    return withoutEvidence(strictCutShort(passCost(context, subject)));
  }
  return strictly(context, subject, scores);
}

function strictly(
  context: RunContext,
  { original, candidate, heldOut }: Subject,
  scores: HeldOutScores,
): VerdictEvidence {
  const before = new Map(scores.rollouts(original).map((rollout) => [rollout.task.id, rollout]));
  const after = new Map(scores.rollouts(candidate).map((rollout) => [rollout.task.id, rollout]));
  const needed = heldOut.filter((task) => after.has(task.id));
  const score = (rollout: Rollout<HeldOutTask> | undefined): number | undefined =>
    rollout === undefined ? undefined : meanScore(rollout, context.options.gate);
  const pairs = needed.map((task): StrictPair => ({
    before: score(before.get(task.id)),
    after: score(after.get(task.id)),
  }));
  const { metric, noRegression } = context.options.gate;
  const notNeeded = heldOut.length - needed.length;
  const tasks = { pairs, metric, taskIds: needed.map((task) => task.id), notNeeded };
  return {
    verdict: strictVerdict(tasks, { noRegression }),
    comparisons: heldOut.map((task) => ({
      id: task.id,
      before: sideOf(before.get(task.id), score(before.get(task.id))),
      after: sideOf(after.get(task.id), score(after.get(task.id))),
    })),
    answers: Object.fromEntries(
      heldOut.map((task) => [task.id, [answerOf(before.get(task.id)), answerOf(after.get(task.id))] as const]),
    ),
  };
}

function sideOf(rollout: Rollout<HeldOutTask> | undefined, score: number | undefined): SideResult {
  const scored = rollout === undefined ? [] : scoredAttempts(rollout);
  return {
    passes: scored.filter((attempt) => attempt.hard === 1).length,
    valid: scored.length,
    invalid: (rollout?.attempts.length ?? 0) - scored.length,
    score,
  };
}

function answerOf(rollout: Rollout<HeldOutTask> | undefined): string | undefined {
  return rollout === undefined ? undefined : scoredAttempts(rollout)[0]?.answerHash;
}

function withoutEvidence(verdict: Verdict): VerdictEvidence {
  return { verdict, comparisons: [], answers: {} };
}

interface Pair extends Pick<Subject, 'allLeaked' | 'onTraining' | 'rule'> {
  readonly pair: TextPair;
  /** The files of the package that it changes, as they were. */
  readonly filesBefore?: PackageFiles | undefined;
  readonly heldOut: readonly HeldOutTask[];
  readonly scores: HeldOutScores | undefined;
}

/** Skill and memory together against both as they were: certified on fresh attempts, or by the strict rule. */
export async function judgePair(
  context: RunContext,
  { pair, filesBefore, heldOut, allLeaked = false, scores, onTraining, rule }: Pair,
  signal: AbortSignal,
): Promise<VerdictEvidence> {
  const original = pairCandidate(pair.before, filesBefore);
  const candidate = pairCandidate(pair.after, filesBefore);
  const slot: DocumentSlot = ({ hash }) => (hash === original.hash ? pair.before : pair.after);
  return judgeCandidate(
    context,
    {
      original,
      candidate,
      heldOut,
      allLeaked,
      scores: scores?.forSlot(slot),
      onTraining,
      rule,
      memory: { before: pair.before.memory, after: pair.after.memory },
    },
    signal,
  );
}

/** Two readings are the same only where both texts are: a certification of one is none of the other. */
export function pairCandidate({ memory, ...texts }: TargetInput, filesBefore: PackageFiles = {}): Candidate {
  const stored = storedText(texts);
  const hash = memory === undefined ? sha256(stored) : sha256(JSON.stringify([stored, memory]));
  return { text: texts.skill, hash, edits: [], files: { before: filesBefore, changed: texts.files ?? {} } };
}
