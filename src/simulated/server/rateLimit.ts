const minute = 60_000;

/** A sliding window of one minute. Asks the clock that it is given, so that tests need not wait. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  #times: readonly number[] = [];

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Undefined where there is room, else how many milliseconds until there is. A refused request takes no room. */
  take(): number | undefined {
    const now = this.#now();
    this.#times = this.#times.filter((time) => now - time < minute);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= this.#perMinute) return minute - (now - oldest);
    this.#times = [...this.#times, now];
    return undefined;
  }
}
