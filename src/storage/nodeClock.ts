import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/clock.js';

/** The machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal.throwIfAborted();
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      // Node rejects with an error of its own; the port promises the signal's reason.
      signal.throwIfAborted();
      throw error;
    }
  },
};
