import { once } from 'node:events';
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { addAbortSignal } from 'node:stream';
import type { Command } from 'commander';
import { runProgram } from './cli/program.js';
import type { ModelOptions } from './cli/commandLine.js';
import { listed, readCaps } from './cli/caps.js';
import { consentBy } from './cli/consent.js';
import { readPrices } from './cli/prices.js';
import { givenText, lineFrom, oneLine, openTerminal } from './cli/terminal.js';
import { UserError } from './errors.js';
import { addQueue, addWorker, type QueuePrograms } from './cli/commands/queue.js';
import { addServeSimulated } from './cli/commands/serveSimulated.js';
import { createUseCases, nodeClock, startSimulatedServer, workerPrograms, worldOfMachine } from './bundles/core.js';
import type { UseCases } from './app/useCases.js';
import type { World } from './app/world.js';
import type { AttemptRunner } from './ports/attemptRunner.js';

declare const whetstoneVersion: string;

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort(new Error('interrupted')));
// The terminal was closed: what runs is ended as by Ctrl+C.
process.once('SIGHUP', () => interrupted.abort(new Error('hung up')));
process.once('SIGTERM', () => interrupted.abort(new Error('terminated')));

const nobodyReads = 141; // as of a process that the system ended for that: 128 and SIGPIPE

// Who reads may stop before the end, as `head` does: what runs is ended as by Ctrl+C, and nobody is told anything more.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const isClosed = error.code === 'EPIPE' || error.code === 'EIO'; // EIO: the terminal is gone
    const isFirst = !interrupted.signal.aborted;
    process.exitCode = isClosed ? nobodyReads : 1;
    interrupted.abort(new Error('what is printed cannot be written'));
    if (!isClosed && isFirst && stream === process.stdout)
      process.stderr.write(`whetstone: What is printed could not be written: ${error.message}\n`);
  });

const live = process.stderr.isTTY;
const terminal = openTerminal({
  color: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
  live,
  columns: process.stderr.columns ?? 100,
  out: writeOut,
  err: (text: string): void => void process.stderr.write(text),
  readLine: process.stdin.isTTY && live ? readLine : undefined,
  readKey: process.stdin.isTTY && live ? readKey : undefined,
});

function writeOut(text: string): void {
  process.stdout.write(text);
}

/** A line of the person at this terminal. */
function readLine(signal: AbortSignal): Promise<string> {
  return lineFrom(process.stdin, signal);
}

/** One key of the person at this terminal. Ctrl+C, which comes as a key then, ends the program as ever. */
async function readKey(signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  stdin.setRawMode(true);
  stdin.resume();
  try {
    const [pressed] = await once(stdin, 'data', { signal });
    const key = String(pressed);
    if (key === '\u0003') interrupted.abort(new Error('interrupted'));
    signal.throwIfAborted();
    return key;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}

function open(models: ModelOptions): UseCases {
  return createUseCases(worldWith(models, attemptsOn(models)));
}

function worldWith(models: ModelOptions, attempts?: AttemptRunner): World {
  const { env } = process;
  const all = models.model ?? env['WHETSTONE_MODEL'];
  const specs = { target: models.target ?? all, optimizer: models.optimizer ?? all, judge: models.judge ?? all };
  return worldOfMachine({
    specs,
    attempts,
    environment: env,
    platform: process.platform,
    home: homedir(),
    ...consentBy(models, terminal),
    sandbox: { helper: path.join(__dirname, 'sandbox.js') },
    caps: () => models.caps ?? readCaps([...listed(env['WHETSTONE_CAPS']), ...(models.cap ?? [])]),
    prices: () => readPrices([...listed(env['WHETSTONE_PRICES']), ...(models.price ?? [])]),
    tell: (note) => terminal.err(`${oneLine(note)}\n`),
  });
}

/** What holds connections open, and is closed once the command is over. */
const opened: (() => Promise<void>)[] = [];

/** The queue that the person names, loaded and reached when something is first asked of it; undefined without one. */
function attemptsOn(models: ModelOptions): AttemptRunner | undefined {
  const named = namedQueue(models);
  if (named === undefined) return undefined;
  type Opened = Awaited<ReturnType<Awaited<ReturnType<typeof loadQueue>>['openCoordinator']>>;
  let coordinator: Promise<Opened> | undefined;
  const reached = (): Promise<Opened> => (coordinator ??= loadQueue().then((queue) => queue.openCoordinator(named)));
  opened.push(async () => (await coordinator?.catch(() => undefined))?.close());
  return {
    place: withoutPassword(named.queue),
    run: async (call, here, signal) => (await reached()).run(call, here, signal),
    reach: async (model, role, signal) => (await reached()).reach(model, role, signal),
    program: async (call, here, signal) => (await reached()).program(call, here, signal),
    staysHere: async (request, signal) => (await reached()).staysHere(request, signal),
  };
}

function withoutPassword(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url === undefined ? '' : `${url.protocol}//${url.host}`;
}

/** Said on the command line or by the environment; a workspace has no say in it. */
function namedQueue({ queue = process.env['WHETSTONE_QUEUE'], secretFile }: ModelOptions) {
  if (queue === undefined || queue === '') return undefined;
  return { queue, secretFile, environment: process.env, platform: process.platform, clock: nodeClock };
}

async function loadQueue() {
  try {
    return await import('./bundles/queue.js');
  } catch (error) {
    throw new UserError(
      'usage',
      'This copy of whetstone has no part for queues.',
      'Install the npm package, which has it: npm install -g whetstone.',
      { cause: error },
    );
  }
}

const queuePrograms: QueuePrograms = {
  work: async (wishes, began) => {
    const { runWorker } = await loadQueue();
    const { signal } = interrupted;
    const world = worldWith(wishes);
    const models = await world.models(signal);
    const list = wishes.programs;
    const programs = list === undefined ? undefined : await workerPrograms(world, list, signal);
    await runWorker({ ...wishes, ...namedOrRefused(wishes), models, programs }, began, signal);
  },
  look: async (wishes) => (await loadQueue()).lookAt(namedOrRefused(wishes)),
  carry: async (wishes) => {
    const { serveWindow } = await loadQueue();
    const streams = { input: process.stdin, write: writeOut, version: whetstoneVersion };
    await serveWindow(namedOrRefused(wishes), streams, interrupted.signal);
  },
};

function namedOrRefused(models: ModelOptions): NonNullable<ReturnType<typeof namedQueue>> {
  const named = namedQueue(models);
  if (named !== undefined) return named;
  throw new UserError('usage', 'No queue is named.', 'Add --queue redis://localhost:6379, or set WHETSTONE_QUEUE.');
}

const skippedFolders = new Set(['node_modules', '.git', 'dist', 'out', '.venv', '.whetstone']);

/** A SKILL.md itself, or every one below a folder, each once however many links lead to it. */
async function findSkills(place: string): Promise<readonly string[]> {
  // A file that is a link keeps its name: whoever opens it looks where it leads.
  if ((await stat(place)).isFile()) return [path.join(await realpath(path.dirname(place)), path.basename(place))];
  const folder = await realpath(place);
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const inside = path.join(folder, entry.name);
      if (entry.name === 'SKILL.md') return [inside];
      return entry.isDirectory() && !skippedFolders.has(entry.name) ? findSkills(inside) : [];
    }),
  );
  return found.flat().sort();
}

function readInput(): Promise<string> {
  return givenText(addAbortSignal(interrupted.signal, process.stdin));
}

const face = {
  terminal,
  cwd: process.cwd(),
  signal: interrupted.signal,
  open,
  exit: (code: number): void => {
    process.exitCode = code;
  },
  demoFolder: path.join(__dirname, '..', 'media', 'demo'),
};

async function main(): Promise<void> {
  const more = (program: Command): void => {
    addWorker(program, face, queuePrograms);
    addQueue(program, face, queuePrograms);
    addServeSimulated(program, face, ({ seed, lapseRate, ...rest }) =>
      startSimulatedServer({ ...rest, seed, model: { seed, lapseRate } }),
    );
  };
  const code = await runProgram(
    { face, version: whetstoneVersion, cli: __filename, findSkills, readInput, more },
    process.argv.slice(2),
  );
  await Promise.all(opened.map((close) => close()));
  process.exitCode = Math.max(code, Number(process.exitCode ?? 0));
}

void main();
