// What the tests run as a process of its own: the first argument names the deed, the second holds its input as JSON.
import { readFile, writeFile } from 'node:fs/promises';
import { ModelError } from '../../../../src/errors.js';
import { adopt } from '../../../../src/storage/adoption/adopt.js';
import { waitForLock } from '../../../../src/storage/files/lock.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { findPlaces, type PlacesRequest } from '../../../../src/storage/state/places.js';
import { noProbe, type Probe } from '../../../../src/storage/files/durableWrite.js';
import { nodeAgentPrograms } from '../../../../src/storage/programs/agentPrograms.js';
import { readProposal } from '../../../../src/storage/proposals/proposals.js';
import { thisProcess } from '../../../../src/storage/files/runningProcess.js';
import { openLedger } from '../../../../src/storage/spend/spendLedger.js';
import { openSkillStore, openUserStore } from '../../../../src/storage/state/store.js';
import { undoLast } from '../../../../src/storage/adoption/history.js';
import { acceptInEditor } from '../../../builders/editorSave.js';

const neverAborted = new AbortController().signal;

export interface LockOrder {
  readonly folder: string;
  readonly key: string;
}

export interface CountOrder extends LockOrder {
  readonly file: string;
  readonly rounds: number;
}

export interface ChangeOrder {
  readonly request: PlacesRequest;
  readonly action: 'adopt' | 'undo' | 'save';
  /** Which call of the probe ends the process, counted from 1. */
  readonly killAt: number;
}

export interface SpendOrder {
  readonly folder: string;
  readonly tries: number;
  readonly cap: number;
}

export interface AskOrder {
  readonly command: string;
  /** Where folders are made. */
  readonly temporary: string;
}

async function lockFor({ folder, key }: LockOrder, probe: Probe = noProbe) {
  const pace = { beatMs: 10_000, staleMs: 60_000 };
  return waitForLock(
    { folder, key, what: 'a test', pace, self: await thisProcess(), clock: nodeClock, probe },
    30_000,
    neverAborted,
  );
}

/** Takes the lock and keeps it until the process is killed. */
async function hold(order: LockOrder): Promise<void> {
  await lockFor(order);
  say('held');
  await new Promise(() => setInterval(() => undefined, 1000));
}

/** Adds to a number in a file that only the lock protects. */
async function count({ file, rounds, ...order }: CountOrder): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const lock = await lockFor(order);
    const before = Number(await readFile(file, 'utf8'));
    await writeFile(file, String(before + 1));
    await lock.release();
  }
}

/** Adopts, undoes or saves as an editor does, and dies on the way. */
async function change({ request, action, killAt }: ChangeOrder): Promise<void> {
  let calls = 0;
  const probe: Probe = () => {
    calls += 1;
    if (calls === killAt) process.kill(process.pid, 'SIGKILL');
  };
  const store = await openSkillStore(await findPlaces(request), nodeClock, probe);
  if (action === 'undo') await undoLast(store, neverAborted);
  else if (action === 'save') await acceptInEditor(store);
  else await adopt(store, { reading: await readProposal(store), attended: true }, neverAborted);
}

/** Reserves until it is refused or has tried often enough; leaves the reservations standing. */
async function spend({ folder, tries, cap }: SpendOrder): Promise<number> {
  const ledger = openLedger(await openUserStore(folder, nodeClock));
  const caps = { run: {}, day: { tokens: cap }, month: {} };
  const claim = {
    runId: String(process.pid),
    role: 'target' as const,
    model: 'm',
    worst: { tokens: 1, usd: undefined },
    caps,
  };
  const attempts = Array.from({ length: tries }, async () => {
    try {
      await ledger.reserve(claim, neverAborted);
      return 1;
    } catch (error) {
      if (error instanceof ModelError && error.kind === 'cap') return 0;
      throw error;
    }
  });
  const granted: readonly number[] = await Promise.all(attempts);
  return granted.reduce((sum, one) => sum + one, 0);
}

/** Starts an agent program that says who it is and never ends, and waits for it until the process is killed. */
async function ask({ command, temporary }: AskOrder): Promise<void> {
  process.env['TMPDIR'] = temporary;
  const programs = nodeAgentPrograms({ environment: { PATH: '/usr/bin:/bin' }, workspace: () => [] });
  const program = { path: command, command, before: [] };
  const start = { arguments: [], environment: {}, input: '' };
  await programs.run(
    { program, start: () => start, onLine: (line) => say(line), outputLimitBytes: 100_000 },
    neverAborted,
  );
}

async function places(request: PlacesRequest): Promise<unknown> {
  return findPlaces(request);
}

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const deeds = { hold, count, change, spend, places, ask };
/** What a child can be asked to do, and with which order; `startChild` holds the tests to it. */
export type Deeds = { readonly [Deed in keyof typeof deeds]: Parameters<(typeof deeds)[Deed]>[0] };

const [deed = '', order = '{}'] = process.argv.slice(2);
const run = Object.entries(deeds).find(([name]) => name === deed)?.[1];
if (run === undefined) throw new Error(`unknown deed ${deed}`);
say((await Reflect.apply(run, undefined, [JSON.parse(order)])) ?? 'done');
