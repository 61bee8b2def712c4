/** The time, and waiting for it. The core never reads the machine's clock. */
export interface Clock {
  /** Milliseconds since 1970, wall clock. */
  now(): number;
  /**
   * How many milliseconds the machine has been running, and since which start; setting the clock does not change it.
   * Undefined where the clock is no machine's.
   */
  readonly running?: (() => { readonly boot: string; readonly up: number }) | undefined;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
