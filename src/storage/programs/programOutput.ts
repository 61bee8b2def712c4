import type { ChildProcess } from 'node:child_process';
import os from 'node:os';
import { messageOf } from '../../errors.js';
import type { ProgramResult } from '../../ports/programs.js';

/** What a program wrote so far. */
export interface GatheredOutput {
  readonly tooLarge: Promise<ProgramResult>;
  text(): { readonly output: string; readonly errorOutput: string };
}

/** Gathers both streams up to a limit for the two together; what goes beyond is not kept in memory. */
export function gatherOutput(child: ChildProcess, limitBytes: number): GatheredOutput {
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
export function exitOf(child: ChildProcess, output: GatheredOutput): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const exited = (code: number | null, killedBy: NodeJS.Signals | null): void =>
      resolve({ kind: 'exited', code: code ?? codeOf(killedBy), ...output.text() });
    child.on('error', (error) => resolve({ kind: 'not-started', reason: messageOf(error) }));
    child.on('close', exited);
    child.on('exit', (code, killedBy) => setTimeout(() => exited(code, killedBy), drainMs).unref());
  });
}

/** As shells number it. */
function codeOf(killedBy: NodeJS.Signals | null): number {
  return 128 + (killedBy === null ? 0 : os.constants.signals[killedBy]);
}
