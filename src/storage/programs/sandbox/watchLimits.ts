import type { Dirent } from 'node:fs';
import { lstat, opendir, readdir, readFile, readlink, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HelperSettings, SandboxLimits } from './messages.js';

const betweenLooksMs = 200;
const shareOfTime = 10; // looking takes at most a tenth of the time

/**
 * Looks again and again at how much a program takes: its processes and their memory, what it wrote to places that vanish
 * with it, and the size of its folders and the number of files in them. Resolves with a sentence once it is too much; never
 * where it stays within. It is all that counts a program as a whole where the system lets us have no control group.
 */
export function watchLimits({ limits, denied }: Pick<HelperSettings, 'limits' | 'denied'>, folders: readonly string[]) {
  return (pid: number, stop: AbortSignal): Promise<string> => {
    const vanishing = [...denied, '/dev', '/dev/shm'];
    const onDisk = new FoldersWatch(limits, folders);
    // Each at its own pace: many files take long to count, and memory is filled quickly.
    return Promise.race([
      again(() => whyTooMuch(pid, limits, vanishing), stop),
      again(async () => onDisk.look(pid), stop, 1),
    ]);
  };
}

async function again(look: () => Promise<string | undefined>, stop: AbortSignal, share = shareOfTime): Promise<string> {
  let pause = betweenLooksMs;
  for (;;) {
    const waited = await wait(pause, true, { signal: stop, ref: false }).catch(() => false);
    if (!waited) return new Promise(() => undefined);
    const began = performance.now();
    const why = await look();
    if (why !== undefined) return why;
    pause = Math.max(betweenLooksMs, (performance.now() - began) * share);
  }
}

async function whyTooMuch(
  pid: number,
  limits: SandboxLimits,
  vanishing: readonly string[],
): Promise<string | undefined> {
  const all = await descendants(pid);
  if (all.length > limits.processes + ownProcesses)
    return `The sandbox ended it: it had more than ${limits.processes} processes.`;
  const inMemory = await vanishingUse(all, vanishing);
  if (inMemory.files > limits.files) return tooManyFiles(limits);
  return (await memoryOf(all, inMemory.bytes, limits.memoryBytes)) > limits.memoryBytes
    ? `The sandbox ended it: it took more than ${megabytes(limits.memoryBytes)} MB of memory.`
    : undefined;
}

function tooManyFiles({ files }: SandboxLimits): string {
  return `The sandbox ended it: it made more than ${files} files and folders.`;
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

/** What they have in memory together. What looks cheap is enough as long as it, which counts shared pages often, is not too much. */
async function memoryOf(all: readonly number[], vanishing: number, most: number): Promise<number> {
  const hidden = await hiddenFiles(all);
  const held = vanishing + sum(hidden.filter(({ inMemory }) => inMemory).map(({ bytes }) => bytes));
  const resident = sum(await Promise.all(all.map(async (pid) => (await pagesOf(pid)).resident)));
  if (resident + held <= most) return resident + held;
  const shares = await Promise.all(all.map(shareOf));
  // Memory that is shared may be mapped from what is held: it is not counted twice.
  return sum(shares.map(({ own }) => own)) + Math.max(held, sum(shares.map(({ shared }) => shared)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

const pageBytes = 4096;

async function pagesOf(pid: number): Promise<{ readonly resident: number; readonly own: number }> {
  const [, resident = '0', shared = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ');
  return {
    resident: Number(resident) * pageBytes,
    own: Math.max(0, Number(resident) - Number(shared)) * pageBytes,
  };
}

/** A process's part of what it shares with others, where the kernel tells; files of the disk are no memory of its own. */
async function shareOf(pid: number): Promise<{ readonly own: number; readonly shared: number }> {
  const told = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const kilobytes = (name: string): number | undefined => {
    const [, found] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(told) ?? [];
    return found === undefined ? undefined : Number(found) * 1024;
  };
  const [anonymous, shared] = [kilobytes('Pss_Anon'), kilobytes('Pss_Shmem')];
  if (anonymous === undefined || shared === undefined) return { own: (await pagesOf(pid)).own, shared: 0 };
  return { own: anonymous + (kilobytes('SwapPss') ?? 0), shared };
}

interface HiddenFile {
  readonly bytes: number;
  readonly device: number;
  readonly inMemory: boolean;
}

/** Files that processes have open and that have no name any more: no look at a folder finds them. */
async function hiddenFiles(all: readonly number[]): Promise<readonly HiddenFile[]> {
  const found = new Map<string, HiddenFile>();
  for (const pid of all) {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
    await Promise.all(
      open.map(async (descriptor) => {
        const place = `/proc/${pid}/fd/${descriptor}`;
        const name = await readlink(place).catch(() => '');
        if (!name.endsWith(' (deleted)')) return;
        const file = await stat(place).catch(() => undefined);
        if (file?.isFile() !== true || file.nlink > 0) return;
        const inMemory = name.startsWith('/memfd:');
        found.set(`${file.dev}:${file.ino}`, { bytes: file.blocks * blockBytes, device: file.dev, inMemory });
      }),
    );
  }
  return [...found.values()];
}

/** What was written to empty places in memory that lie over what is denied: it is gone with the program. */
async function vanishingUse(
  all: readonly number[],
  places: readonly string[],
): Promise<{ readonly bytes: number; readonly files: number }> {
  const outer = await Promise.all(places.map((place) => useOf(place)));
  // Asked of the newest processes, for the first ones are outside; of several, for one may just have ended.
  const inner = await Promise.all(
    all.slice(-3).map(async (inside) => {
      const found = await Promise.all(places.map((place) => useOf(`/proc/${inside}/root${place}`)));
      // A place that is the same inside and outside is no empty one of the sandbox: others write to it too.
      return found.filter(({ inMemory, device }, index) => inMemory && outer[index]?.device !== device);
    }),
  );
  const most = (of: 'bytes' | 'files'): number => Math.max(0, ...inner.map((uses) => sum(uses.map((use) => use[of]))));
  return { bytes: most('bytes'), files: most('files') };
}

const tmpfsType = 0x01021994;

interface PlaceUse extends FolderUse {
  readonly device: number;
  readonly inMemory: boolean;
}

async function useOf(place: string): Promise<PlaceUse> {
  const found = await statfs(place).catch(() => undefined);
  const device = (await stat(place).catch(() => undefined))?.dev ?? 0;
  if (found === undefined) return { bytes: 0, files: 0, device, inMemory: false };
  const { blocks, bfree, bsize, type, files, ffree } = found;
  return { bytes: (blocks - bfree) * bsize, files: files - ffree, device, inMemory: type === tmpfsType };
}

/** Looks at the folders of a program. */
class FoldersWatch {
  readonly #limits: SandboxLimits;
  readonly #folders: readonly string[];
  #next = 0;
  #found: FolderUse = { bytes: 0, files: 0 };
  #room: FolderUse = { bytes: 0, files: 0 };

  constructor(limits: SandboxLimits, folders: readonly string[]) {
    this.#limits = limits;
    this.#folders = folders;
  }

  /** Many files take long to count: then seldom, but at once where the disk has lost as much room as is left to take. */
  async look(pid: number): Promise<string | undefined> {
    const { diskBytes, files } = this.#limits;
    const room = await roomIn(this.#folders[0] ?? '/');
    const began = performance.now();
    if (began < this.#next && !this.#fills(room)) return undefined;
    this.#found = await useOfFolders(this.#folders, await descendants(pid), this.#limits);
    this.#room = room;
    this.#next = performance.now() + (performance.now() - began) * shareOfTime;
    if (this.#found.files > files) return tooManyFiles(this.#limits);
    return this.#found.bytes > diskBytes
      ? `The sandbox ended it: it wrote more than ${megabytes(diskBytes)} MB to its folder.`
      : undefined;
  }

  #fills(room: FolderUse): boolean {
    const lost = { bytes: this.#room.bytes - room.bytes, files: this.#room.files - room.files };
    return (
      lost.bytes > this.#limits.diskBytes - this.#found.bytes || lost.files > this.#limits.files - this.#found.files
    );
  }
}

interface FolderUse {
  readonly bytes: number;
  readonly files: number;
}

async function roomIn(folder: string): Promise<FolderUse> {
  const found = await statfs(folder).catch(() => undefined);
  return { bytes: (found?.bfree ?? 0) * (found?.bsize ?? 0), files: found?.ffree ?? 0 };
}

/** Not followed through links, and not counted further once it is too much; with what was deleted and is open still. */
async function useOfFolders(
  folders: readonly string[],
  all: readonly number[],
  { diskBytes, files: mostFiles }: SandboxLimits,
): Promise<FolderUse> {
  const device = (await stat(folders[0] ?? '/').catch(() => undefined))?.dev;
  const hidden = (await hiddenFiles(all)).filter((file) => !file.inMemory && file.device === device);
  let bytes = sum(hidden.map((file) => file.bytes));
  let files = hidden.length;
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const some of entriesOf(folder)) {
      files += some.length;
      const inner = some.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
      waiting.push(...inner);
      const rest = some.filter((entry) => !entry.isDirectory());
      const sizes = await Promise.all(rest.map(({ name }) => sizeOf(path.join(folder, name))));
      bytes += sum(sizes);
      if (bytes > diskBytes || files > mostFiles) return { bytes, files };
    }
  }
  return { bytes, files };
}

const atOnce = 64;

/** A few at a time: a folder may hold more than anybody has room for. */
async function* entriesOf(folder: string): AsyncGenerator<readonly Dirent[]> {
  const opened = await opendir(folder, { bufferSize: atOnce }).catch(() => undefined);
  if (opened === undefined) return;
  let some: Dirent[] = [];
  for await (const entry of opened) {
    some.push(entry);
    if (some.length < atOnce) continue;
    yield some;
    some = [];
  }
  yield some;
}

async function sizeOf(file: string): Promise<number> {
  return ((await lstat(file).catch(() => undefined))?.blocks ?? 0) * blockBytes;
}

const blockBytes = 512;
