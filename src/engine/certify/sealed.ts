import { ModelError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import type { SealedTask, SplitTasks } from '../../tasks/task.js';
import { pairScores, type Attempt, type Rollout } from '../stages/attempts.js';
import type { LikelyAttempt } from '../askAhead.js';
import type { Candidate, DocumentSlot, TextPair } from '../candidate.js';
import { concurrently } from '../concurrently.js';
import { withBatchesByText } from '../stages/attemptRequests.js';
import { attemptOnce } from '../stages/rollOut.js';
import { refuseSilence } from '../stages/silence.js';
import type { RunContext } from '../runContext.js';
import type { RunOptions } from '../runOptions.js';

/** Whether a run scores its sealed tasks: with the gate off, where nothing else is measured, only when asked to. */
export function scoresSealed({ sealed, rule }: Pick<RunOptions['gate'], 'sealed' | 'rule'>): boolean {
  return sealed ?? rule !== 'off';
}

/** The sealed tasks, once before and once after. They decide nothing; a cap leaves them out. */
export async function scoreSealed(
  context: RunContext,
  tasks: readonly SealedTask[],
  texts: TextPair,
  signal: AbortSignal,
): Promise<Proposal['sealed']> {
  if (tasks.length === 0 || !scoresSealed(context.options.gate)) return undefined;
  const { gate, concurrency } = context.options;
  context.record({ kind: 'stage', stage: 'sealed', step: 0, planned: tasks.length * 2 });
  const jobs = sealedJobs(context, tasks, texts);
  const within = withBatchesByText(context, jobs);
  try {
    const rollouts = await concurrently(jobs, concurrency, async (job): Promise<Rollout<SealedTask>> => ({
      task: job.task,
      attempts: [await attemptOnce(within(job), job, job.plan, signal)],
    }));
    await refuseSilence(context, 'attempts', signal);
    const attemptAt = (index: number): Attempt | undefined => rollouts[index]?.attempts[0];
    const pairs = tasks.map((_, index) => pairScores(attemptAt(index), attemptAt(index + tasks.length), gate));
    const known = pairs.flatMap(({ before, after }) =>
      before === undefined || after === undefined ? [] : [{ before, after }],
    );
    if (known.length < tasks.length) context.record({ kind: 'note', text: withoutResult(tasks.length, known.length) });
    if (known.length === 0) return undefined;
    const scores = {
      before: meanOf(known.map((pair) => pair.before)),
      after: meanOf(known.map((pair) => pair.after)),
      n: known.length,
    };
    context.record({ kind: 'sealed', ...scores });
    return scores;
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
    context.record({ kind: 'note', text: `The sealed tasks were skipped. ${error.message}` });
    return undefined;
  }
}

/** Every sealed task once under each text; none where they are not scored. */
export function sealedJobs({ options }: RunContext, tasks: readonly SealedTask[], texts: TextPair) {
  if (!scoresSealed(options.gate)) return [];
  const shared = { stage: 'sealed', step: 0, family: `sealed:${options.train.seed}` } as const;
  const plans = [texts.before, texts.after].map((reading) => ({ ...shared, ...reading }));
  return plans.flatMap((plan) => tasks.map((task) => ({ task, number: 1, plan })));
}

/** What follows the last step under the strict rule, whose verdict needs no further attempt. */
export function sealedAfter(
  context: RunContext,
  { tasks, slot, original }: { readonly tasks: SplitTasks; readonly slot: DocumentSlot; readonly original: Candidate },
): ((candidate: Candidate) => readonly LikelyAttempt[]) | undefined {
  if (context.options.gate.rule !== 'strict') return undefined;
  return (candidate) => sealedJobs(context, tasks.sealed, { before: slot(original), after: slot(candidate) });
}

function withoutResult(tasks: number, known: number): string {
  return known === 0
    ? `None of the ${tasks} sealed tasks gave a result on both sides: they were not measured.`
    : `${tasks - known} of ${tasks} sealed tasks gave no result on both sides and were left out.`;
}

function meanOf(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
