import { lstat, readdir, readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HelperSettings, SandboxLimits } from './messages.js';

const betweenLooksMs = 200;
const shareOfTime = 10; // looking takes at most a tenth of the time

/**
 * Looks again and again at how much a program takes: the size of its folders, what it wrote to places that vanish with
 * it, its processes and their memory. Resolves with a sentence once it is too much; never where it stays within.
 */
export function watchLimits({ limits, denied }: Pick<HelperSettings, 'limits' | 'denied'>, folders: readonly string[]) {
  return async (pid: number, stop: AbortSignal): Promise<string> => {
    let pause = betweenLooksMs;
    for (;;) {
      const waited = await wait(pause, true, { signal: stop, ref: false }).catch(() => false);
      if (!waited) return new Promise(() => undefined);
      const began = performance.now();
      const why = await whyTooMuch(pid, limits, { folders, vanishing: [...denied, '/dev', '/dev/shm'] });
      if (why !== undefined) return why;
      pause = Math.max(betweenLooksMs, (performance.now() - began) * shareOfTime);
    }
  };
}

interface Places {
  readonly folders: readonly string[];
  /** Empty places in memory that lie over what is denied: what is written there is gone with the program. */
  readonly vanishing: readonly string[];
}

async function whyTooMuch(pid: number, limits: SandboxLimits, places: Places): Promise<string | undefined> {
  const all = await descendants(pid);
  if (all.length > limits.processes + ownProcesses)
    return `The sandbox ended it: it had more than ${limits.processes} processes.`;
  const memory = (await Promise.all(all.map(residentBytes))).reduce((sum, each) => sum + each, 0);
  const inMemory = await vanishingBytes(all, places.vanishing);
  if (memory + inMemory > limits.memoryBytes)
    return `The sandbox ended it: it took more than ${megabytes(limits.memoryBytes)} MB of memory.`;
  const written = await folderBytes(places.folders, limits.diskBytes);
  if (written > limits.diskBytes)
    return `The sandbox ended it: it wrote more than ${megabytes(limits.diskBytes)} MB to its folder.`;
  return undefined;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

const ownProcesses = 16; // of the sandbox: shells, what wraps, relays

/** Every process beneath one, itself included. */
async function descendants(pid: number): Promise<readonly number[]> {
  const found: number[] = [];
  const waiting = [pid];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const tasks = await readdir(`/proc/${next}/task`).catch(() => []);
    for (const task of tasks) {
      const children = await readFile(`/proc/${next}/task/${task}/children`, 'utf8').catch(() => '');
      waiting.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return found;
}

const pageBytes = 4096;

async function residentBytes(pid: number): Promise<number> {
  const [, resident = '0', shared = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ');
  return Math.max(0, Number(resident) - Number(shared)) * pageBytes;
}

/** Asked of the newest process: the first ones are outside. */
async function vanishingBytes(all: readonly number[], places: readonly string[]): Promise<number> {
  const inside = all.at(-1);
  const outer = await Promise.all(places.map((place) => usedBytes(place)));
  const inner = await Promise.all(places.map((place) => usedBytes(`/proc/${inside}/root${place}`)));
  // A place that is the same inside and outside is no empty one of the sandbox.
  const different = inner.filter(({ bytes, blocks }, index) => {
    const other = outer[index];
    return other === undefined || other.bytes !== bytes || other.blocks !== blocks;
  });
  return different.filter(({ inMemory }) => inMemory).reduce((sum, { bytes }) => sum + bytes, 0);
}

const tmpfsType = 0x01021994;

async function usedBytes(place: string): Promise<{ bytes: number; blocks: number; inMemory: boolean }> {
  const found = await statfs(place).catch(() => undefined);
  if (found === undefined) return { bytes: 0, blocks: 0, inMemory: false };
  const { blocks, bfree, bsize, type } = found;
  return { bytes: (blocks - bfree) * bsize, blocks, inMemory: type === tmpfsType };
}

/** Not followed through links, and not counted further once it is too much. */
async function folderBytes(folders: readonly string[], most: number): Promise<number> {
  let size = 0;
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined && size <= most; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(place);
      else size += (await lstat(place).catch(() => undefined))?.blocks ?? 0;
    }
    if (size * blockBytes > most) break;
  }
  return size * blockBytes;
}

const blockBytes = 512;
