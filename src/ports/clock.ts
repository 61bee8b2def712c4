/** The time, and waiting for it. The core never reads the machine's clock. */
export interface Clock {
  /** Milliseconds since 1970, wall clock. */
  now(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
