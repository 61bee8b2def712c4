import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../errors.js';
import type { ProgramRequest, ProgramResult } from '../../ports/programs.js';
import { codeOf, killGroup } from './processGroup.js';
import { endStrays, leaderOf, markName } from './strayProcesses.js';

/** A process and its limits. */
export interface ProcessStart extends Pick<ProgramRequest, 'command' | 'arguments' | 'input'> {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeLimitMs: number;
  readonly outputLimitBytes: number;
  /** What everything that it starts carries in its environment; drawn anew without it. */
  readonly mark?: string | undefined;
  /** Told what it writes, as it comes; the result has no output then. */
  readonly onData?: ((chunk: Buffer, from: 'output' | 'error') => void) | undefined;
  /** Looks at it while it runs; what it resolves with ends it. */
  readonly watch?: ((pid: number, stop: AbortSignal) => Promise<string>) | undefined;
}

/** Runs one process to its end. When it resolves, nothing that it started is left, as far as the system lets it be found. */
export async function runProcess(process: ProcessStart, signal: AbortSignal): Promise<ProgramResult> {
  const { mark = randomBytes(16).toString('hex') } = process;
  const child = start(process, mark);
  if (typeof child === 'string') return { kind: 'not-started', reason: child };
  const leader = child.pid === undefined ? undefined : leaderOf(child.pid);
  const over = new AbortController();
  try {
    const output = gatherOutput(child, process);
    const result = await Promise.race([
      exitOf(child, output),
      output.tooLarge,
      timeLimit(process.timeLimitMs, AbortSignal.any([signal, over.signal])),
      ...watched(process, child, output, over.signal),
    ]);
    signal.throwIfAborted();
    return result;
  } finally {
    over.abort();
    await killGroup(child);
    if (leader !== undefined) await endStrays(mark, leader);
  }
}

/** As a process is told of that the system ended. */
const endedByUs = 137;

function watched(
  { watch }: ProcessStart,
  { pid }: ChildProcess,
  output: ProgramOutput,
  stop: AbortSignal,
): readonly Promise<ProgramResult>[] {
  if (watch === undefined || pid === undefined) return [];
  return [watch(pid, stop).then((why) => ({ kind: 'exited', code: endedByUs, ...output.text(), told: [why] }))];
}

function start({ command, arguments: given, cwd, env, input }: ProcessStart, mark: string): ChildProcess | string {
  try {
    const child = spawn(command, given, {
      cwd,
      env: { ...env, [markName]: mark },
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
function gatherOutput(child: ChildProcess, { outputLimitBytes, onData }: ProcessStart): ProgramOutput {
  const output: Buffer[] = [];
  const errorOutput: Buffer[] = [];
  let size = 0;
  const tooLarge = new Promise<ProgramResult>((resolve) => {
    const into = (chunks: Buffer[], from: 'output' | 'error') => (chunk: Buffer) => {
      size += chunk.length;
      if (size > outputLimitBytes) resolve({ kind: 'output-too-large' });
      else if (onData === undefined) chunks.push(chunk);
      else onData(chunk, from);
    };
    child.stdout?.on('data', into(output, 'output'));
    child.stderr?.on('data', into(errorOutput, 'error'));
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
