import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { ModelError } from '../errors.js';
import type { Clock } from '../ports/clock.js';

/** The one door to a backend, shared by every role that talks to it. */
export interface RateGate {
  /** Runs `call` when there is room. Rejects with the signal's reason, without running it, if aborted before that. */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** How many calls may be under way now. */
  readonly width: () => number;
}

export interface RateGateOptions {
  readonly clock: Clock;
  /** The most calls under way at once. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number | undefined;
}

/**
 * The first call goes alone: a wrong key or model costs one call, not thirty. Then all at once, halved whenever the server
 * says "too many", and widened by one after every full round of answers. A wait that the server asks for holds everyone.
 */
export function createRateGate({ clock, concurrency, requestsPerMinute }: RateGateOptions): RateGate {
  const queue = new PQueue({
    concurrency: 1,
    ...(requestsPerMinute === undefined ? {} : { interval: 60_000, intervalCap: requestsPerMinute, strict: true }),
  });
  let opened = false;
  let answersSinceChange = 0;
  let generation = 0; // calls that were under way at a halving say nothing about the width after it
  let closedUntil = 0;

  const succeed = (): void => {
    answersSinceChange += 1;
    if (!opened) queue.concurrency = concurrency;
    else if (answersSinceChange >= queue.concurrency && queue.concurrency < concurrency) queue.concurrency += 1;
    else return;
    opened = true;
    answersSinceChange = 0;
  };
  const fail = (error: unknown, startedIn: number): void => {
    if (!(error instanceof ModelError) || error.kind !== 'rate-limit') return;
    closedUntil = Math.max(closedUntil, clock.now() + Math.min(error.retryAfterMs ?? 0, longestHold));
    if (startedIn !== generation) return;
    generation += 1;
    answersSinceChange = 0;
    queue.concurrency = Math.max(1, Math.floor(queue.concurrency / 2));
  };
  const run = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    while (clock.now() < closedUntil) await clock.sleep(closedUntil - clock.now(), signal);
    const startedIn = generation;
    try {
      const result = await call();
      succeed();
      return result;
    } catch (error) {
      fail(error, startedIn);
      throw error;
    }
  };

  return {
    width: () => queue.concurrency,
    async run(call, signal) {
      signal.throwIfAborted();
      setMaxListeners(0, signal); // a run's one signal is heard by everyone who waits
      try {
        return await queue.add(() => run(call, signal), { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

const longestHold = 120_000; // a longer wish ends the call that heard it; others may have better luck
