import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The variable that everything a program starts inherits; its value is drawn anew for each program. */
export const markName = 'WHETSTONE_PROGRAM';

const mostRounds = 11; // what starts new ones faster than they are ended is left to the person

/** The process that all of a program descends from. */
interface Leader {
  readonly pid: number;
  /** What it starts is no older. Undefined where the system does not tell: then all processes are looked at. */
  readonly started: number | undefined;
}

/** To be called as soon as the process was started: before anybody else can have its number. */
export function leaderOf(pid: number): Leader {
  return { pid, started: process.platform === 'linux' ? statOf(pid)?.started : undefined };
}

/**
 * Ends what a program started and took out of its group, as `setsid` does: on Linux every process whose environment
 * holds the mark, which only descendants of the program inherit, and every descendant that is found by its parents. One
 * that wiped its environment and lost its parents is not found.
 */
export async function endStrays(mark: string, leader: Leader): Promise<void> {
  await endAll(mark, leader);
}

/** Ends what carries the mark of a program whose leader is no longer known. */
export async function endMarked(mark: string): Promise<void> {
  await endAll(mark, undefined);
}

async function endAll(mark: string, leader: Leader | undefined): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < mostRounds; round += 1) {
    const strays = await straysOf(mark, leader);
    if (strays.length === 0) return;
    for (const pid of strays) end(pid);
    await wait(2 ** round); // one that was ended needs its turn to be gone: on a busy machine more than a moment
  }
}

/** Every program ends with this, so what was there before it is not asked for its environment, which takes long. */
async function straysOf(mark: string, leader: Leader | undefined): Promise<readonly number[]> {
  const all = await processes();
  const since = leader?.started ?? 0;
  const young = [...all].filter(([pid, { started, alive }]) => alive && started >= since && pid !== process.pid);
  const strays = young.map(async ([pid]) =>
    descends(pid, leader?.pid, all) || (await carries(pid, mark)) ? [pid] : [],
  );
  return (await Promise.all(strays)).flat();
}

const atOnce = 100; // a few milliseconds, in which nothing else goes on

async function processes(): Promise<ReadonlyMap<number, Stat>> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 1);
  const found = new Map<number, Stat>();
  for (const [index, pid] of pids.entries()) {
    const stat = statOf(pid);
    if (stat !== undefined) found.set(pid, stat);
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

function descends(pid: number, leader: number | undefined, all: ReadonlyMap<number, Stat>): boolean {
  for (let at = all.get(pid)?.parent; at !== undefined && at > 1; at = all.get(at)?.parent)
    if (at === leader) return true;
  return false;
}

interface Stat {
  readonly parent: number;
  readonly alive: boolean;
  /** In ticks since the machine started. */
  readonly started: number;
}

/** Read at once: the kernel has it at hand, and a thread for each of hundreds takes ten times as long. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in brackets and may itself hold spaces and brackets.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state = 'Z', parent = '0'] = fields;
    return { parent: Number(parent), alive: state !== 'Z', started: Number(fields[19] ?? 0) };
  } catch {
    return undefined; // it has ended
  }
}

async function carries(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''); // of another user: none of ours
  return environment.split('\0').includes(`${markName}=${mark}`);
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
