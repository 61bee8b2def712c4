import {
  addPass,
  minimumHeldOutTasks,
  startCertification,
  type Certification,
  type Claim,
} from '../../gate/statistics/certification.js';
import { ModelError } from '../../errors.js';
import { startParsimony } from '../../gate/statistics/parsimony.js';
import { gridFor, toGrid } from '../../gate/statistics/scores.js';
import type { PairResult } from '../../gate/statistics/tally.js';
import type { HeldOutTask } from '../../tasks/task.js';
import { pairScores, type Attempt } from '../stages/attempts.js';
import { askingAhead } from '../askAhead.js';
import { filesIn, textsOf, type Candidate } from '../candidate.js';
import { concurrently } from '../concurrently.js';
import { withBatchesByText } from '../stages/attemptRequests.js';
import { attemptOnce } from '../stages/rollOut.js';
import { refuseSilence } from '../stages/silence.js';
import type { EmptyBudget, RunContext, StoredCertification } from '../runContext.js';
import { onlyShortens } from '../../skill/edits/onlyShortens.js';
import { isLengthAlone } from '../front/choiceOptions.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';

/** How a certification came out, before it is put into words. */
export type CertificationResult =
  | { readonly kind: 'decided'; readonly stored: StoredCertification }
  | { readonly kind: 'cut-off'; readonly stored: StoredCertification; readonly cap: string }
  | { readonly kind: 'too-few-tasks' }
  | EmptyBudget;

/** The most passes of each claim; with the tasks they decide how fine the scores are kept. */
export const mostPasses: Readonly<Record<Claim, number>> = { better: 8, 'not-worse': 16 };

type Comparison = Pick<ClaimInput, 'original' | 'candidate' | 'memory'> & {
  readonly heldOut: readonly HeldOutTask[];
  /** A gain, unless it is said that the candidate only has to be no worse. */
  readonly claim?: Claim | undefined;
};

/**
 * Original against candidate on fresh attempts that no selection has looked at, pass by pass, until the answer is
 * known. Stored after every pass: one that a cap cut off goes on later where it stood.
 */
export async function certify(
  context: RunContext,
  compared: Comparison,
  signal: AbortSignal,
): Promise<CertificationResult> {
  const { original, candidate, heldOut } = compared;
  if (heldOut.length < minimumHeldOutTasks) return { kind: 'too-few-tasks' };
  const subject = {
    originalHash: original.hash,
    candidateHash: candidate.hash,
    heldOut: heldOut.map((task) => task.contentHash),
  };
  // What it claims is settled before the first attempt, and stays so however often it is cut off.
  const opened = await context.certifications.open(subject, { state: begin(context, compared), answers: {} });
  if (opened.kind === 'budget-empty') return opened;
  let { stored } = opened;
  const fresh = opened.run === undefined ? context : { ...context, ...context.freshFor?.(opened.run) };
  try {
    while (stored.state.decision.kind === 'continue') {
      const begun = { id: opened.id, stored };
      const further = () => likelyPasses(compared, begun);
      stored = await askingAhead(fresh, () => runPass(fresh, compared, begun, signal), further, signal);
      await context.certifications.save(opened.id, stored);
    }
    return { kind: 'decided', stored };
  } catch (error) {
    if (error instanceof ModelError && error.kind === 'cap') return { kind: 'cut-off', stored, cap: error.message };
    throw error;
  }
}

function begin(context: RunContext, { claim = 'better', heldOut }: Comparison): Certification {
  const { metric, noRegression } = context.options.gate;
  const n = heldOut.length;
  const settings = { n, grid: gridFor(metric, n * mostPasses[claim]), noRegression };
  return claim === 'better' ? startCertification(settings) : startParsimony(settings);
}

/** Every task once under both skills, the two sides of a task next to each other in time. */
async function runPass(
  context: RunContext,
  compared: Comparison,
  { id, stored }: { readonly id: string; readonly stored: StoredCertification },
  signal: AbortSignal,
): Promise<StoredCertification> {
  const pass = stored.state.test.passes + 1;
  const { heldOut } = compared;
  context.record({ kind: 'stage', stage: 'certify', step: pass, planned: heldOut.length * 2 });
  const jobs = passJobs(compared, { id, pass });
  const within = withBatchesByText(context, jobs);
  const attempts = await concurrently(jobs, context.options.concurrency, (job) =>
    attemptOnce(within(job), job, job.plan, signal),
  );
  await refuseSilence(context, 'attempts', signal);
  const pairs = heldOut.map((_, index): PairResult => {
    const { grid } = stored.state.settings;
    const scores = pairScores(attempts[index * 2], attempts[index * 2 + 1], context.options.gate);
    return { task: index, before: toGrid(scores.before, grid), after: toGrid(scores.after, grid) };
  });
  const state = addPass(stored.state, pairs);
  context.record({ kind: 'certification', pass, decision: state.decision.kind });
  const answers = heldOut.map(
    (task, index) => [task.id, [answerOf(attempts[index * 2]), answerOf(attempts[index * 2 + 1])]] as const,
  );
  const isEqual = answers.every(([task, [first, second]]) => {
    const [before, after] = stored.answers[task] ?? [];
    return first !== undefined && second !== undefined && first === before && second === after;
  });
  return {
    state,
    answers: { ...stored.answers, ...Object.fromEntries(answers) },
    ...(pass < 2 ? {} : { repeatsEqual: isEqual && stored.repeatsEqual !== false }),
  };
}

/** Both texts on every task, for the first time in this pass. */
function passJobs(
  { original, candidate, memory, heldOut }: Comparison,
  { id, pass }: { readonly id: string; readonly pass: number },
) {
  const shared = { stage: 'certify', step: pass, family: `certification:${id}` } as const;
  const before = { ...shared, ...textsOf(original), memory: memory.before };
  const after = { ...shared, ...textsOf(candidate), memory: memory.after };
  return heldOut.flatMap((task) => [before, after].map((plan) => ({ task, number: pass, plan })));
}

/**
 * The passes that are asked for together where somebody answers by hand: two, since one alone seldom decides, and then as
 * many again as there were, up to the most.
 */
function likelyPasses(
  compared: Comparison,
  { id, stored }: { readonly id: string; readonly stored: StoredCertification },
) {
  const { test, settings } = stored.state;
  const first = test.passes + 1;
  const last = Math.min(settings.plan.maxPasses, lastOfRound(first));
  const passes = Array.from({ length: last - first }, (_, index) => first + 1 + index);
  return passes.flatMap((pass) => passJobs(compared, { id, pass }));
}

/** The last pass that is asked for in the same round: rounds end after pass 2, 4, 8, 16. */
export function lastOfRound(pass: number): number {
  return Math.max(2, 2 ** Math.ceil(Math.log2(pass)));
}

function answerOf(attempt: Attempt | undefined): string | undefined {
  return attempt?.kind === 'scored' ? attempt.answerHash : undefined;
}

/** Two texts, and what selection knows of them. */
export interface ClaimInput {
  readonly original: Candidate;
  readonly candidate: Candidate;
  readonly memory: { readonly before: string | undefined; readonly after: string | undefined };
  readonly scores: HeldOutScores | undefined;
  /** The text that selection compared, where the candidate is only a part of it. */
  readonly selected?: Candidate | undefined;
  /** How it did on training tasks, where the choice was made there. */
  readonly onTraining?: 'higher' | 'equal' | 'lower' | undefined;
  /** The rule by which its run chose it, fixed before the run; undefined where none did. */
  readonly rule?: string | undefined;
}

/**
 * What a certification is to show. A shorter text that selection did not find better claims to be no worse; where no
 * selection looked at it, only one that takes words out and puts none in does. Everything else claims a gain. A choice on
 * training tasks is a selection too: it saw nothing of the tasks that decide. A rule that asks for no more than a shorter
 * skill which is no worse claims just that of every shorter text, whatever training tasks said.
 */
export function claimFor({ original, candidate, memory, scores, ...chosen }: ClaimInput): Claim {
  const { selected = candidate, onTraining, rule } = chosen;
  const before = wholeText(original, memory.before);
  const after = wholeText(candidate, memory.after);
  if (after.length >= before.length) return 'better';
  if (isLengthAlone(rule)) return 'not-worse';
  const outcome = scores?.known(original, selected) ?? onTraining;
  if (outcome === undefined) return onlyShortens(before, after) ? 'not-worse' : 'better';
  return outcome === 'higher' ? 'better' : 'not-worse';
}

function wholeText(candidate: Candidate, memory: string | undefined): string {
  const files = Object.entries(filesIn(candidate)).sort(([a], [b]) => (a < b ? -1 : 1));
  const beside = [...files.map(([, text]) => text), ...(memory === undefined ? [] : [memory])];
  return [candidate.text, ...beside].join('\n');
}
