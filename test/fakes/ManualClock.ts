import type { Clock } from '../../src/ports/clock.js';

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is turned. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: Sleeper[] = [];

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** How many wait for the clock to be turned. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const sleeper = { due: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  /** Turns the clock, waking sleepers in the order in which they are due, and lets each go on before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settled();
      const next = this.#sleepers.filter(({ due }) => due <= end).sort((left, right) => left.due - right.due)[0];
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.due);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== next);
      next.wake();
    }
    this.#now = end;
    await settled();
  }

  /** Sets the clock without waking anybody: what a person or a time server does. */
  set(now: number): void {
    this.#now = now;
  }
}

/** Everything that was ready to run has run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
