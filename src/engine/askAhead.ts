import { isWaiting, ModelError } from '../errors.js';
import type { Task } from '../tasks/task.js';
import { concurrently } from './concurrently.js';
import type { RunContext } from './runContext.js';
import { attemptOnce, type RollOutPlan } from './stages/rollOut.js';

/** An attempt that may be needed soon. */
export interface LikelyAttempt {
  readonly task: Task;
  readonly number: number;
  readonly plan: Omit<RollOutPlan, 'attempts'>;
}

/**
 * Does `work`; where it has to wait for answers that somebody gives by hand, also asks what the run is likely to ask next,
 * so that all of it is answered in one round. What is asked ahead decides nothing: it is taken up where it is needed, and
 * the run comes to the same as if it had been asked there.
 */
export async function askingAhead<T>(
  context: RunContext,
  work: () => Promise<T>,
  likely: () => readonly LikelyAttempt[] | Promise<readonly LikelyAttempt[]>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isWaiting(error)) await askAll(context, await likely(), signal);
    throw error;
  }
}

/** One attempt at each of these tasks. */
export function onceEach(tasks: readonly Task[], plan: LikelyAttempt['plan']): readonly LikelyAttempt[] {
  return tasks.map((task) => ({ task, number: 1, plan }));
}

async function askAll(context: RunContext, likely: readonly LikelyAttempt[], signal: AbortSignal): Promise<void> {
  const unseen = { ...context, record: () => undefined };
  // A batch of an environment is not taken apart.
  const single = likely.filter(({ task }) => context.batched?.holds(task) !== true);
  try {
    await concurrently(single, context.options.concurrency, (each) => attemptOnce(unseen, each, each.plan, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
  }
}
