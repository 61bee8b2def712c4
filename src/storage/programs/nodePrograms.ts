import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { messageOf } from '../../errors.js';
import { harmlessEnvironment } from '../../harmlessEnvironment.js';
import type { ProgramRequest, ProgramResult, Programs } from '../../ports/programs.js';
import { codeOf, killGroup } from './processGroup.js';
import { endStrays, markName } from './strayProcesses.js';
import { inThrowAwayCopy, NotCopiedError } from './throwAwayCopy.js';

/**
 * Runs programs of this machine, without a shell, in a throw-away copy, with an environment that holds no secrets of
 * ours. When `run` resolves, nothing that the program started is left, as far as the system lets it be found.
 */
export const nodePrograms: Programs = {
  run: async (request, signal) => {
    signal.throwIfAborted();
    try {
      return await inThrowAwayCopy(request, (copy) => runIn(copy, request, signal));
    } catch (error) {
      if (error instanceof NotCopiedError) return { kind: 'not-started', reason: error.message };
      throw error;
    }
  },
};

async function runIn(copy: string, request: ProgramRequest, signal: AbortSignal): Promise<ProgramResult> {
  const mark = randomBytes(16).toString('hex');
  const child = start(copy, request, mark);
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
    if (child.pid !== undefined) await endStrays(mark, child.pid);
  }
}

function start(
  cwd: string,
  { command, arguments: given, environment, input }: ProgramRequest,
  mark: string,
): ChildProcess | string {
  try {
    const child = spawn(command, given, {
      cwd,
      env: { ...harmlessEnvironment(process.env), ...environment, [markName]: mark },
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

/** What a program wrote so far. */
interface ProgramOutput {
  readonly tooLarge: Promise<ProgramResult>;
  text(): { readonly output: string; readonly errorOutput: string };
}

/** Gathers both streams up to a limit for the two together; what goes beyond is not kept in memory. */
function gatherOutput(child: ChildProcess, limitBytes: number): ProgramOutput {
  const output: Buffer[] = [];
  const errorOutput: Buffer[] = [];
  let size = 0;
  const tooLarge = new Promise<ProgramResult>((resolve) => {
    const into = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) resolve({ kind: 'output-too-large' });
      else chunks.push(chunk);
    };
    child.stdout?.on('data', into(output));
    child.stderr?.on('data', into(errorOutput));
  });
  return { tooLarge, text: () => ({ output: textOf(output), errorOutput: textOf(errorOutput) }) };
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

const drainMs = 300; // a child that outlives the program may hold its pipes open for ever

/** How the program ended by itself. */
function exitOf(child: ChildProcess, output: ProgramOutput): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const exited = (code: number | null, killedBy: NodeJS.Signals | null): void =>
      resolve({ kind: 'exited', code: code ?? codeOf(killedBy), ...output.text() });
    child.on('error', (error) => resolve({ kind: 'not-started', reason: messageOf(error) }));
    child.on('close', exited);
    child.on('exit', (code, killedBy) => setTimeout(() => exited(code, killedBy), drainMs).unref());
  });
}
