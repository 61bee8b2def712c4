import { realpath } from 'node:fs/promises';
import { isInside } from '../../isInside.js';
import type { FixtureFiles } from '../../ports/files.js';
import { unlessMissing } from './fileErrors.js';
import { nodeFiles } from './nodeAdapters.js';

/** The machine's files, without those that a link leads out of `folder`: what a clone brings along is sent to a model. */
export function filesInside(folder: string): FixtureFiles {
  return {
    async read(file, signal) {
      const real = await unlessMissing(realpath(file));
      if (real === undefined) return undefined;
      if (!isInside(await realpath(folder), real)) throw new Error('a link leads out of the folder of the skill.');
      return nodeFiles.read(real, signal);
    },
  };
}
