import { readdir, readFile } from 'node:fs/promises';

/** The variable that everything a program starts inherits; its value is drawn anew for each program. */
export const markName = 'WHETSTONE_PROGRAM';

const mostRounds = 5; // what starts new ones faster than they are ended is left to the person

/**
 * Ends what a program started and took out of its group, as `setsid` does: on Linux every process whose environment
 * holds the mark, which only descendants of the program inherit, and every descendant that is found by its parents. One
 * that wiped its environment and lost its parents is not found.
 */
export async function endStrays(mark: string, leader: number): Promise<void> {
  await endAll(mark, leader);
}

/** Ends what carries the mark of a program whose leader is no longer known. */
export async function endMarked(mark: string): Promise<void> {
  await endAll(mark, undefined);
}

async function endAll(mark: string, leader: number | undefined): Promise<void> {
  if (process.platform !== 'linux') return;
  for (let round = 0; round < mostRounds; round += 1) {
    const strays = await straysOf(mark, leader);
    if (strays.length === 0) return;
    for (const pid of strays) end(pid);
  }
}

async function straysOf(mark: string, leader: number | undefined): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
  const looks = await Promise.all(pids.map(async (pid) => ({ pid, ...(await lookAt(pid, mark)) })));
  const parents = new Map(looks.map(({ pid, parent }) => [pid, parent]));
  return looks
    .filter(({ pid, marked, alive }) => alive && (marked || descends(pid, leader, parents)))
    .map(({ pid }) => pid);
}

function descends(pid: number, leader: number | undefined, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === leader) return true;
  return false;
}

interface Look {
  readonly parent: number;
  readonly alive: boolean;
  readonly marked: boolean;
}

async function lookAt(pid: number, mark: string): Promise<Look> {
  const [status, environment] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''), // of another user: none of ours
  ]);
  // The name stands in brackets and may itself hold spaces and brackets.
  const [state = 'Z', parent = '0'] = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const marked = environment.split('\0').includes(`${markName}=${mark}`);
  return { parent: Number(parent), alive: status !== '' && state !== 'Z', marked };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
