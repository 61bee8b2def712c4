import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { FixtureFiles } from '../../ports/files.js';
import { unlessMissing } from './fileErrors.js';

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

/** What a throw-away copy leaves out is not part of the folder either. */
const leftOut = new Set(['.git', '.whetstone']);

/** The machine's files. A folder that is not there holds none; links are not followed. */
export const nodeFiles: FixtureFiles = {
  read: async (file, signal) => {
    signal.throwIfAborted();
    return unlessMissing(readFile(file, { signal }));
  },
  list: async (folder, signal) => (await filesBelow(folder, signal)).toSorted(),
};

async function filesBelow(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted();
  const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  const found = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isFile()) return [place];
      return entry.isDirectory() && !leftOut.has(entry.name) ? filesBelow(place, signal) : [];
    }),
  );
  return found.flat();
}
