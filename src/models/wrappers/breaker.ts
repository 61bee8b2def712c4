import { ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';

/** When a server is given up: nothing it did in so many minutes was an answer, or so many calls in a row failed. */
export interface GiveUpLimits {
  readonly minutes: number;
  readonly failures: number;
}

/** Longer than the longest call, so that one slow answer ends nothing; short enough for a night to be over by then. */
export const givesUpAfter: GiveUpLimits = { minutes: 20, failures: 40 };

/** Ends all calls to a server that gives no answer any more. */
export interface Breaker {
  /** Makes the call. Once the server is given up, calls under way are aborted and no other is made. */
  run<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * Counts how long and how often a server was asked in vain since its last answer. A pause in which nobody asks is no
 * silence of the server, and neither is the time that the machine slept: it is looked at every few minutes, and no stretch
 * between two looks counts for more than that.
 */
export function createBreaker(clock: Clock, limits = givesUpAfter): Breaker {
  const underWay = new Set<AbortController>();
  let silentMs = 0;
  let seenAt = clock.now();
  let failures = 0;
  let last: ModelError | undefined;
  let givenUp: ModelError | undefined;
  let watch: AbortController | undefined;

  const pass = (): void => {
    const now = clock.now();
    silentMs += Math.min(Math.max(0, now - seenAt), underWay.size > 0 ? lookMs : longestWait);
    seenAt = now;
  };
  const look = (): void => {
    pass();
    if (givenUp !== undefined || (silentMs < limits.minutes * 60_000 && failures < limits.failures)) return;
    givenUp = giveUp(limits, failures, last);
    for (const each of underWay) each.abort(givenUp);
  };
  const watchSilence = async (stop: AbortSignal): Promise<void> => {
    for (let from = -1; from !== clock.now() && givenUp === undefined && !stop.aborted; look()) {
      from = clock.now(); // a clock that wakes us at once, without moving on, is not asked again
      await clock.sleep(Math.min(lookMs, limits.minutes * 60_000 - silentMs), stop);
    }
  };
  const enter = (signal: AbortSignal): AbortController => {
    pass();
    const controller = new AbortController();
    if (underWay.size === 0) {
      watch = new AbortController();
      watchSilence(watch.signal).catch(() => undefined); // stopped: nobody is waited for
    }
    underWay.add(controller);
    const stop = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true, signal: controller.signal });
    return controller;
  };
  const leave = (controller: AbortController): void => {
    underWay.delete(controller);
    controller.abort(); // lets go of the run's signal
    if (underWay.size === 0) watch?.abort();
  };

  return {
    async run(call, signal) {
      if (givenUp !== undefined) throw givenUp;
      signal.throwIfAborted();
      const controller = enter(signal);
      try {
        const result = await call(controller.signal);
        pass();
        silentMs = failures = 0;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelError && isSignOfLife(error)) silentMs = failures = 0;
        else if (error instanceof ModelError) {
          last = error;
          failures += error.kind === 'rate-limit' ? 0 : 1; // it says itself when to come back
        }
        look();
        throw givenUp ?? error;
      } finally {
        leave(controller);
      }
    },
  };
}

/** Said of the one request, by a server that works; or a call that was never made. */
function isSignOfLife({ kind }: ModelError): boolean {
  return kind === 'context-length' || kind === 'content-filter' || kind === 'cap';
}

function giveUp({ minutes }: GiveUpLimits, failures: number, last: ModelError | undefined): ModelError {
  if (last === undefined || failures < 2) {
    const what = `The model’s server was given up: it gave no answer for ${minutes} minutes.`;
    return new ModelError('given-up', what, { cure: resumeCure, cause: last });
  }
  const what = `The model’s server was given up: ${failures} calls in a row failed. The last one: ${last.message}`;
  return new ModelError('given-up', what, { cure: resumeCure, cause: last });
}

/** A server that asks to wait longer than a run does. */
export function waitsTooLong(error: ModelError, waitMs: number): ModelError {
  const minutes = Math.ceil(waitMs / 60_000);
  const what =
    minutes < 120
      ? `The model’s server asks to wait ${minutes} minutes, which is longer than a run waits. ${error.message}`
      : `The model’s server asks to wait ${Math.ceil(minutes / 60)} hours, which is longer than a run waits. ${error.message}`;
  return new ModelError('given-up', what, { cure: resumeCure, cause: error });
}

const resumeCure =
  'Check the connection, or choose another model; then resume the run: what was answered is kept and not paid again.';

const lookMs = 5 * 60_000;
const longestWait = 2 * 60_000; // between two calls, where the server asks for it
