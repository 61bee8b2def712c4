import os from 'node:os';
import { harmlessEnvironment } from '../../harmlessEnvironment.js';
import type { Programs } from '../../ports/programs.js';
import { inOwnedFolder } from './ownedFolder.js';
import { runProcess } from './runProcess.js';
import { inThrowAwayCopy, NotCopiedError } from './throwAwayCopy.js';

/**
 * Runs programs of this machine, without a shell, in a throw-away copy, with an environment that holds no secrets of
 * ours. Nothing contains them.
 */
export const nodePrograms: Programs = {
  run: async (request, signal) => {
    signal.throwIfAborted();
    const env = { ...harmlessEnvironment(process.env), ...request.environment };
    try {
      return await inOwnedFolder(os.tmpdir(), 'whetstone-run-', ({ path: place, mark }) =>
        inThrowAwayCopy({ ...request, place }, (cwd) => runProcess({ ...request, cwd, env, mark }, signal)),
      );
    } catch (error) {
      if (error instanceof NotCopiedError) return { kind: 'not-started', reason: error.message };
      throw error;
    }
  },
};
