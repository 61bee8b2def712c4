import { realpath } from 'node:fs/promises';
import type { FixtureFiles } from '../../ports/files.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { isInside } from '../../storage/files/insideFolder.js';

/** The same files, without those that a link leads out of `folder`: what a clone brings along is sent to a model. */
export function filesInside(folder: string, files: FixtureFiles): FixtureFiles {
  return {
    list: (inner, signal) => files.list(inner, signal),
    async read(file, signal) {
      const real = await unlessMissing(realpath(file));
      if (real === undefined) return undefined;
      if (!isInside(await realpath(folder), real)) throw new Error('a link leads out of the folder of the skill.');
      return files.read(real, signal);
    },
  };
}
