import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { isFatal, ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import { Breaker, waitsTooLong } from './breaker.js';

/** Limits the calls to one backend; shared by every role that uses it. */
export interface RateLimiter {
  /** Runs `call` when there is room, with a signal that ends it once the backend is given up. Rejects with the signal's reason, without running it, if aborted before that. */
  run<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** How many calls may be under way now. */
  readonly width: () => number;
}

interface RateLimiterOptions {
  readonly clock: Clock;
  /** The most calls under way at once. */
  readonly concurrency: number;
  /** The server has just answered what costs nothing, and knows the model: no call has to go first. */
  readonly isOpen?: boolean | undefined;
}

/**
 * The first call goes alone, unless the server is known to answer: a wrong key or model costs one call, not thirty. Then all at once, halved whenever the server
 * says "too many", and widened by one after every full round of answers. A wait that the server asks for holds everyone.
 * What no retry mends (login, quota, a model that is not there, no answer for minutes, a wait of hours) fails every call
 * that waits, and no further call is made.
 */
export function createRateLimiter({ clock, concurrency, isOpen = false }: RateLimiterOptions): RateLimiter {
  const width = adaptiveWidth(concurrency, isOpen);
  const queue = new PQueue({ concurrency: width.current });
  const breaker = new Breaker(clock);
  let closedUntil = 0;
  let ended: ModelError | undefined;

  const pass = async <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    while (clock.now() < closedUntil) await clock.sleep(closedUntil - clock.now(), signal);
    if (ended !== undefined) throw ended;
    const startedIn = width.generation;
    try {
      const result = await breaker.run(call, signal);
      width.answered();
      return result;
    } catch (caught) {
      const error = last(caught);
      if (error instanceof ModelError && endsAll(error)) ended = error;
      if (error instanceof ModelError && error.kind === 'rate-limit') {
        closedUntil = Math.max(closedUntil, clock.now() + (error.retryAfterMs ?? 0));
        width.refused(startedIn);
      }
      throw error;
    } finally {
      queue.concurrency = width.current;
    }
  };

  return {
    width: () => width.current,
    async run(call, signal) {
      signal.throwIfAborted();
      setMaxListeners(0, signal); // every call that waits listens to the run's one signal
      try {
        return await queue.add(() => pass(call, signal), { signal });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

/** A cap may leave room for a smaller call, and other prompts are still to be asked; the others are the backend's last word. */
function endsAll({ kind }: ModelError): boolean {
  return isFatal(kind) && kind !== 'cap' && kind !== 'waiting';
}

/** What a server that asks for a long wait says is its last word too: nobody is held for hours. */
function last(error: unknown): unknown {
  if (!(error instanceof ModelError) || (error.retryAfterMs ?? 0) <= longestHold) return error;
  return isFatal(error.kind) ? error : waitsTooLong(error, error.retryAfterMs ?? 0);
}

const longestHold = 120_000;

/** How many calls may be under way at once, as the server's answers teach it. */
interface AdaptiveWidth {
  readonly current: number;
  /** Taken along by a call from its start, and handed back with its refusal. */
  readonly generation: number;
  /** An answer came: opens after the first, widens by one after every full round of them. */
  answered(): void;
  /** "Too many": halves. Calls that were under way at the last halving say nothing about the width after it. */
  refused(startedIn: number): void;
}

function adaptiveWidth(most: number, isOpen: boolean): AdaptiveWidth {
  let current = isOpen ? most : 1;
  let generation = 0;
  let opened = isOpen;
  let answers = 0;
  const change = (width: number): void => {
    current = width;
    answers = 0;
  };
  return {
    get current() {
      return current;
    },
    get generation() {
      return generation;
    },
    answered: () => {
      answers += 1;
      if (!opened) change(most);
      else if (answers >= current && current < most) change(current + 1);
      opened = true;
    },
    refused: (startedIn) => {
      if (startedIn !== generation) return;
      generation += 1;
      change(Math.max(1, Math.floor(current / 2)));
    },
  };
}
