import { ModelError, type ModelErrorKind } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';

/** When a server is given up: no answer for so long, or for a shorter while in which so many calls in a row fail. */
export interface GiveUpLimits {
  readonly minutes: number;
  readonly failures: number;
  /** A few tasks that a server always fails on are tried again for as long, and end no run. */
  readonly failingMinutes: number;
}

/** Longer than the longest call, so that one slow answer ends nothing; short enough for a night to be over by then. */
export const givesUpAfter: GiveUpLimits = { minutes: 20, failures: 40, failingMinutes: 3 };

/**
 * The same of a server that a person runs: a slow answer of a small machine takes an hour. Who has died shows earlier, where
 * nothing comes between two bytes.
 */
export const givesUpOwnServer: GiveUpLimits = { ...givesUpAfter, minutes: 120 };

/**
 * The same of calls that workers make: one waits for others on the queue as long as it takes, and the queue has a patience
 * and an expiry of its own.
 */
export const givesUpElsewhere: GiveUpLimits = { ...givesUpAfter, minutes: Infinity };

/**
 * Ends all calls to a server that gives no answer any more. Counts how long and how often it was asked in vain since its
 * last answer. A pause in which nobody asks is no silence of the server, and neither is the time that the machine slept:
 * it is looked at every few minutes, and no stretch between two looks counts for more than that.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #limits: GiveUpLimits;
  readonly #underWay = new Set<AbortController>();
  #silentMs = 0;
  #seenAt: number;
  #failures = 0;
  #last: ModelError | undefined;
  #givenUp: ModelError | undefined;
  #watch = new AbortController();

  constructor(clock: Clock, limits = givesUpAfter) {
    this.#clock = clock;
    this.#limits = limits;
    this.#seenAt = clock.now();
  }

  /** Makes the call. Once the server is given up, calls under way are aborted and no other is made. */
  async run<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#givenUp !== undefined) throw this.#givenUp;
    signal.throwIfAborted();
    const controller = this.#enter(signal);
    try {
      const result = await call(controller.signal);
      this.#answered();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) this.#failed(error);
      throw this.#givenUp ?? error;
    } finally {
      this.#leave(controller);
    }
  }

  #answered(): void {
    this.#pass();
    this.#silentMs = 0;
    this.#failures = 0;
  }

  #failed(error: ModelError): void {
    if (isSignOfLife(error)) return this.#answered();
    this.#last = error;
    this.#failures += error.kind === 'rate-limit' ? 0 : 1; // it says itself when to come back
    this.#look();
  }

  #look(): void {
    this.#pass();
    const { minutes, failures, failingMinutes } = this.#limits;
    const allowed = this.#failures < failures ? minutes : failingMinutes;
    if (this.#silentMs < allowed * 60_000 || this.#givenUp !== undefined) return;
    this.#givenUp = giveUp(this.#limits, this.#failures, this.#last);
    for (const each of this.#underWay) each.abort(this.#givenUp);
  }

  #pass(): void {
    const now = this.#clock.now();
    const longest = this.#underWay.size > 0 ? lookMs : longestWait;
    this.#silentMs += Math.min(Math.max(0, now - this.#seenAt), longest);
    this.#seenAt = now;
  }

  #enter(signal: AbortSignal): AbortController {
    this.#pass();
    const controller = new AbortController();
    if (this.#underWay.size === 0) {
      this.#watch = new AbortController();
      this.#watchSilence(this.#watch.signal).catch(() => undefined); // stopped: nobody is waited for
    }
    this.#underWay.add(controller);
    const stop = (): void => controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true, signal: controller.signal });
    return controller;
  }

  #leave(controller: AbortController): void {
    this.#underWay.delete(controller);
    controller.abort(over); // lets go of the run's signal
    if (this.#underWay.size === 0) this.#watch.abort(over);
  }

  async #watchSilence(stop: AbortSignal): Promise<void> {
    for (;;) {
      const from = this.#clock.now();
      await this.#clock.sleep(Math.min(lookMs, this.#limits.minutes * 60_000 - this.#silentMs), stop);
      this.#look();
      // A clock that wakes us at once, without moving on, is not asked again.
      if (this.#givenUp !== undefined || this.#clock.now() === from) return;
    }
  }
}

/** Said of the one request, by a server that works; or a call that was never made. */
function isSignOfLife({ kind }: ModelError): boolean {
  return signsOfLife.has(kind);
}

const signsOfLife: ReadonlySet<ModelErrorKind> = new Set([
  'context-length',
  'cut-prompt',
  'content-filter',
  'cap',
  'waiting',
]);

function giveUp({ minutes }: GiveUpLimits, failures: number, last: ModelError | undefined): ModelError {
  if (last === undefined || failures < 2) {
    const what = `The model’s server was given up: it gave no answer for ${minutes} minutes.`;
    return new ModelError('given-up', what, { cure: resumeCure, cause: last });
  }
  const what = `The model’s server was given up: ${failures} calls in a row failed. The last one: ${last.message}`;
  return new ModelError('given-up', what, { cure: resumeCure, cause: last });
}

/** No call of a stage was answered; `capped` is the cap that the calls used up which failed. */
export function unanswered(last: ModelError, capped?: ModelError): ModelError {
  const what =
    capped === undefined
      ? `The model’s server was given up: every call of this stage failed. The last one: ${last.message}`
      : `The model’s server was given up: every call of this stage failed, until they used up a cap (${capped.message}) The last one: ${last.message}`;
  return new ModelError('given-up', what, { cure: resumeCure, cause: last });
}

/** The same of a server that answered in this stage, and then no more. */
export function stoppedAnswering(last: ModelError, capped?: ModelError): ModelError {
  const what =
    capped === undefined
      ? `The model’s server stopped answering: every call since its last answer failed. The last one: ${last.message}`
      : `The model’s server stopped answering: every call since its last answer failed, until they used up a cap (${capped.message}) The last one: ${last.message}`;
  return new ModelError('given-up', what, { cure: resumeCure, cause: last });
}

/** The cap is what ended the run, and calls that failed are among what used it up: too few to say that nobody answers. */
export function cappedAfterFailures(cap: ModelError, last: ModelError): ModelError {
  const what = `${cap.message} Before that a call failed: ${last.message}`;
  return new ModelError('cap', what, { cure: cap.cure, cause: last });
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

/** One for all calls: nobody reads it, and `abort` without a reason makes an error with a stack for each. */
const over = new Error('The call is over.');

const lookMs = 5 * 60_000;
const longestWait = 2 * 60_000; // between two calls, where the server asks for it
