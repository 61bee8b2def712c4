import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FixtureFiles } from '../ports/files.js';
import { unlessMissing } from './fileErrors.js';

/** The machine's files. */
export const nodeFiles: FixtureFiles = {
  read: async (file, signal) => {
    signal.throwIfAborted();
    return unlessMissing(readFile(file, { signal }));
  },
  /** The absolute paths of the files directly in a folder, in order; a folder that is not there holds none. */
  list: async (folder, signal) => {
    signal.throwIfAborted();
    const entries = (await unlessMissing(readdir(folder, { withFileTypes: true }))) ?? [];
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(folder, entry.name))
      .sort();
  },
};
