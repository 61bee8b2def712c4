import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { builtWithQueue } from '../children/builtProgram.js';
import { secret } from './aQueue.js';

/** A command that runs, as a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly said: { out: string; err: string };
  /** As by a power switch. */
  kill(): Promise<void>;
  /** As by Ctrl+C. */
  stop(): Promise<void>;
  ended(): Promise<number | null>;
}

/** Starts the command line with the secret of the queue and nothing else of this process's environment but the path. */
export async function startCommand(
  words: readonly string[],
  cwd: string,
  home: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const { cli } = await builtWithQueue();
  mkdirSync(home, { recursive: true });
  const child = spawn(process.execPath, [cli, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, WHETSTONE_HOME: home, WHETSTONE_QUEUE_SECRET: secret, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (said.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.err += data.toString()));
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await closed;
  };
  return {
    child,
    said,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    ended: async () => {
      await closed;
      return child.exitCode;
    },
  };
}

/** A worker process that works. */
export async function startWorkerProcess(
  url: string,
  model: string,
  home: string,
  more: readonly string[] = [],
): Promise<Running> {
  const words = ['worker', '--queue', url, '--model', model, '--lock', '2', ...more];
  return working(await startCommand(words, path.dirname(home), home));
}

/** Once the worker says that it works. */
export async function working(worker: Running): Promise<Running> {
  while (!worker.said.err.includes(' works: ')) {
    if (worker.child.exitCode !== null) throw new Error(worker.said.err);
    await Promise.race([once(worker.child.stderr ?? worker.child, 'data'), once(worker.child, 'exit')]);
  }
  return worker;
}

/** The one proposal of a workspace, as it lies there. */
export function proposalIn(folder: string): string {
  const proposals = path.join(folder, '.whetstone', 'proposals');
  const [name] = existsSync(proposals) ? readdirSync(proposals) : [];
  return name === undefined ? '' : readFileSync(path.join(proposals, name), 'utf8');
}
