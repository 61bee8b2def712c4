import { ModelError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import type { SealedTask } from '../../tasks/task.js';
import { pairScores, type Attempt, type Rollout } from '../stages/attempts.js';
import type { TextPair } from '../candidate.js';
import { concurrently } from '../concurrently.js';
import { attemptOnce } from '../stages/rollOut.js';
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
  const { gate, train, concurrency } = context.options;
  context.record({ kind: 'stage', stage: 'sealed', step: 0, planned: tasks.length * 2 });
  const jobs = [texts.before, texts.after].flatMap((reading) => tasks.map((task) => ({ task, reading })));
  try {
    const rollouts = await concurrently(jobs, concurrency, async ({ task, reading }): Promise<Rollout<SealedTask>> => {
      const plan = { stage: 'sealed' as const, step: 0, ...reading, family: `sealed:${train.seed}` };
      return { task, attempts: [await attemptOnce(context, { task, number: 1 }, plan, signal)] };
    });
    const attemptAt = (index: number): Attempt | undefined => rollouts[index]?.attempts[0];
    const pairs = tasks.map((_, index) => pairScores(attemptAt(index), attemptAt(index + tasks.length), gate));
    const before = meanOf(pairs.map((pair) => pair.before));
    const after = meanOf(pairs.map((pair) => pair.after));
    if (before === undefined || after === undefined) return undefined;
    context.record({ kind: 'sealed', before, after, n: tasks.length });
    return { before, after, n: tasks.length };
  } catch (error) {
    if (!(error instanceof ModelError && error.kind === 'cap')) throw error;
    context.record({ kind: 'note', text: `The sealed tasks were skipped. ${error.message}` });
    return undefined;
  }
}

function meanOf(scores: readonly (number | undefined)[]): number | undefined {
  const known = scores.filter((score) => score !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, score) => sum + score, 0) / known.length;
}
