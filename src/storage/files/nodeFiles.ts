import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FixtureFiles } from '../../ports/files.js';
import { unlessMissing } from './fileErrors.js';

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
