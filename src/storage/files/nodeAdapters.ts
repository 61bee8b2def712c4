import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.js';
import type { FixtureFiles } from '../../ports/files.js';
import { unlessMissing } from './fileErrors.js';
import { machineUptime } from './machineUptime.js';

/** The machine's clock. */
export const nodeClock: Clock = {
  now: () => Date.now(),
  running: machineUptime,
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

/** The machine's files. */
export const nodeFiles: FixtureFiles = {
  read: async (file, signal) => {
    signal.throwIfAborted();
    return unlessMissing(readFile(file, { signal }));
  },
};
