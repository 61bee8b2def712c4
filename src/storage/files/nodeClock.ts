import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../ports/clock.js';

/** The machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal.throwIfAborted();
    // A whole run waits on one signal; Node takes more than ten listeners for a leak and warns.
    setMaxListeners(0, signal);
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      // Node rejects with an error of its own; the port promises the signal's reason.
      signal.throwIfAborted();
      throw error;
    }
  },
};
