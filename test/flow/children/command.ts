import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line as a process of its own, with nothing of this process's environment but the path. */
export async function runCommandLine(
  cli: string,
  words: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: Readonly<Record<string, string>> },
): Promise<CommandEnd> {
  const child = spawn(process.execPath, [cli, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (said.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.err += data.toString()));
  await once(child, 'close');
  return { code: child.exitCode, ...said };
}
