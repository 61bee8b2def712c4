import { harmlessEnvironment } from '../../harmlessEnvironment.js';
import type { Programs } from '../../ports/programs.js';
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
      return await inThrowAwayCopy(request, (cwd) => runProcess({ ...request, cwd, env }, signal));
    } catch (error) {
      if (error instanceof NotCopiedError) return { kind: 'not-started', reason: error.message };
      throw error;
    }
  },
};
