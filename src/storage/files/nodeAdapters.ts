import process from 'node:process';
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.js';
import type { FixtureFiles } from '../../ports/files.js';
import { unlessMissing } from './fileErrors.js';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';

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

/** Linux names each of its starts, and counts the time asleep; elsewhere a process knows of itself alone. */
function machineUptime(): ReturnType<NonNullable<Clock['running']>> {
  known ??= readBootId() ?? ownStart;
  return { boot: known, up: known === ownStart ? performance.now() : uptime() * 1000 };
}

const ownStart = randomBytes(8).toString('hex');
let known: string | undefined;

function readBootId(): string | undefined {
  try {
    return process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : undefined;
  } catch {
    return undefined; // a sandbox that does not tell
  }
}
