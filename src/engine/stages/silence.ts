import type { RunContext } from '../runContext.js';

/** Fewer may be tasks that a server which works always fails on. */
const fewestAttempts = 3;

/** Ends the run after a stage in which every call failed: a further one would spend time and calls and measure nothing. */
export async function refuseSilence(
  { silence }: Pick<RunContext, 'silence'>,
  stage: 'attempts' | 'questions',
  signal: AbortSignal,
): Promise<void> {
  const reason = await silence?.(stage === 'attempts' ? fewestAttempts : 1, signal);
  if (reason !== undefined) throw reason;
}
