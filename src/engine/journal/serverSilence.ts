import { isFatal, isSilence } from '../../errors.js';
import type { RunEvent } from './runEvents.js';

/** A server that fails every call. */
export interface ServerSilence {
  /** Since its last answer, or since the run began. */
  readonly ms: number;
  /** Calls that failed since then. */
  readonly failed: number;
}

/**
 * Follows whether anybody answers the calls of a run. One that fails now and then is asked again and is no silence: told is
 * what failed for a few seconds, or a few times, with no answer in between. Without an event only the time goes on.
 */
export function followSilence(): (event: RunEvent | undefined, at: number) => ServerSilence | undefined {
  let since: number | undefined;
  let firstFailure = 0;
  let failed = 0;
  return (event, at) => {
    since ??= at;
    if (event !== undefined && isSignOfLife(event)) [since, failed] = [at, 0];
    if (event !== undefined && isUnanswered(event)) {
      if (failed === 0) firstFailure = at;
      failed += 1;
    }
    const isTold = failed >= tellingFailures || (failed > 0 && at - firstFailure >= tellingMs);
    return isTold ? { ms: Math.max(0, at - since), failed } : undefined;
  };
}

const tellingFailures = 3;
const tellingMs = 5_000;

/** An answer, a refusal of the one request by a server that works, or a run that begins or ends: nobody is waited for. */
function isSignOfLife(event: RunEvent): boolean {
  if (event.kind !== 'call') return event.kind === 'run-resumed' || event.kind === 'run-ended';
  if (event.error === undefined) return !event.cached;
  return event.error !== 'aborted' && !isFatal(event.error) && !isSilence(event.error);
}

/** A call that no server answered. */
export function isUnanswered(event: RunEvent): boolean {
  return event.kind === 'call' && event.error !== undefined && isSilence(event.error);
}
