import type { Clock } from '../ports/clock.js';

/**
 * Which number the next try of a call has. Numbers are forgotten once nothing of their job can be left on the queue, so
 * that a long run takes no more memory than a short one.
 */
export class TryNumbers {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keptMs: number;
  readonly #last = new Map<string, { readonly number: number; readonly at: number }>();

  constructor(clock: Pick<Clock, 'now'>, keptMs: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
  }

  next(call: string): number {
    const now = this.#clock.now();
    for (const [old, { at }] of this.#last) {
      if (now - at < this.#keptMs) break;
      this.#last.delete(old);
    }
    const number = (this.#last.get(call)?.number ?? 0) + 1;
    this.#last.delete(call); // the oldest come first
    this.#last.set(call, { number, at: now });
    return number;
  }
}
