import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../errors.js';
import type { ProgramRequest, ProgramResult, Programs } from '../../ports/programs.js';
import { harmlessEnvironment } from './harmlessEnvironment.js';
import { killGroup } from './killGroup.js';
import { exitOf, gatherOutput } from './programOutput.js';
import { inThrowAwayCopy, NotCopiedError } from './throwAwayCopy.js';

/**
 * Runs programs of this machine, without a shell, in a throw-away copy, with an environment that holds no secrets of
 * ours. When `run` resolves, nothing that the program started in its group is left.
 */
export const nodePrograms: Programs = {
  run: async (request, signal) => {
    signal.throwIfAborted();
    try {
      return await inThrowAwayCopy(request.folder, (copy) => runIn(copy, request, signal));
    } catch (error) {
      if (error instanceof NotCopiedError) return { kind: 'not-started', reason: error.message };
      throw error;
    }
  },
};

async function runIn(copy: string, request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult> {
  const child = start(copy, request);
  if (typeof child === 'string') return { kind: 'not-started', reason: child };
  const over = new AbortController();
  try {
    const output = gatherOutput(child, request.outputLimitBytes);
    const result = await Promise.race([
      exitOf(child, output),
      output.tooLarge,
      timeLimit(request.timeLimitMs, AbortSignal.any([signal, over.signal])),
    ]);
    signal.throwIfAborted();
    return result;
  } finally {
    over.abort();
    await killGroup(child);
  }
}

function start(cwd: string, { command, arguments: given, environment, input }: ProgramRequest): ChildProcess | string {
  try {
    const child = spawn(command, given, {
      cwd,
      env: { ...harmlessEnvironment(process.env), ...environment },
      stdio: 'pipe',
      // A group of its own: whatever it starts can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // A program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return child;
  } catch (error) {
    return messageOf(error);
  }
}

async function timeLimit(ms: number, stop: AbortSignal): Promise<ProgramResult> {
  try {
    return await wait(ms, { kind: 'timed-out' as const }, { signal: stop });
  } catch {
    return { kind: 'timed-out' };
  }
}
