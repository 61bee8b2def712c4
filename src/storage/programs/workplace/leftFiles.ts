import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, readlink } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import type { ChangedFile, WorkEntry } from '../../../ports/agentWork.js';
import { readPlainBytes } from '../readPlainFile.js';
import type { CanarySearch } from './canaries.js';
import { isRealFolder } from './writeInside.js';

/** What an agent left in its folders, found without asking any program of the agent's and without following a link. */
export interface LeftFiles {
  /** In the order of their paths. */
  readonly changed: readonly LeftFile[];
  readonly touched: ReadonlySet<'file' | 'variable'>;
  /** Whether there was more than is looked through. */
  readonly tooMuch: boolean;
}

export interface LeftFile extends ChangedFile {
  /** Undefined where it is gone, infinite where it is no file: a pipe, say. */
  readonly bytes: number | undefined;
}

export interface FoldersLeft {
  readonly work: string;
  readonly temporary: string;
  readonly home: string;
  /** What the work started from, by path. */
  readonly before: ReadonlyMap<string, WorkEntry>;
  /** The planted file, as it was. */
  readonly planted: { readonly path: string; readonly text: string } | undefined;
  readonly search: CanarySearch | undefined;
}

const limits = { files: 250_000, bytes: 1024 ** 3 };

/** Looks through all of it. The agent is gone: nothing changes meanwhile. */
export async function lookThrough(left: FoldersLeft, signal: AbortSignal): Promise<LeftFiles> {
  const look = new Look(left, signal);
  try {
    for (const part of ['work', 'temporary', 'home'] as const)
      if (await isRealFolder(left[part])) await look.folder(byteName(left[part]), '', part);
  } catch (error) {
    if (!(error instanceof TooMuchError)) throw error;
    return { changed: look.changes(), touched: look.touched, tooMuch: true };
  }
  return { changed: look.changes(), touched: look.touched, tooMuch: false };
}

class TooMuchError extends Error {}

/**
 * Names are bytes to the system, and need be no text: they are kept as one character for each byte.
 */
function byteName(name: string): string {
  return Buffer.from(name).toString('latin1');
}

function placeOf(name: string): Buffer {
  return Buffer.from(name, 'latin1');
}

type Part = 'work' | 'temporary' | 'home';

class Look {
  readonly touched = new Set<'file' | 'variable'>();
  readonly #changed: LeftFile[] = [];
  readonly #seen = new Set<string>();
  readonly #left: FoldersLeft;
  readonly #signal: AbortSignal;
  #files = 0;
  #bytes = 0;

  constructor(left: FoldersLeft, signal: AbortSignal) {
    this.#left = left;
    this.#signal = signal;
  }

  changes(): readonly LeftFile[] {
    const gone = [...this.#left.before.keys()].filter((name) => !this.#seen.has(name));
    const deleted = gone.map((path) => ({ path, change: 'deleted' as const, bytes: undefined }));
    return [...this.#changed, ...deleted].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  async folder(root: string, inside: string, part: Part): Promise<void> {
    this.#signal.throwIfAborted();
    const place = inside === '' ? root : `${root}/${inside}`;
    const names = await listOf(placeOf(place));
    for (const name of names.toSorted()) {
      const within = inside === '' ? name : `${inside}/${name}`;
      const found = await lstat(placeOf(`${root}/${within}`)).catch(() => undefined);
      this.#count(found?.isFile() === true ? found.size : 0);
      if (found?.isDirectory() === true) await this.folder(root, within, part);
      else if (found !== undefined) await this.#entry({ root, within, part }, found);
    }
  }

  #count(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > limits.files || this.#bytes > limits.bytes) throw new TooMuchError();
  }

  async #entry({ root, within, part }: { root: string; within: string; part: Part }, found: Stats): Promise<void> {
    const name = placeOf(within).toString('utf8');
    const entry = await entryAt(placeOf(`${root}/${within}`), name, found);
    const isGits = /(?:^|\/)\.git(?:\/|$)/u.test(within);
    const isNew = part !== 'work' || this.#isChanged(name, entry, isGits);
    if (entry !== undefined && isNew) this.#search(entry, { part, isGits });
  }

  #isChanged(name: string, entry: WorkEntry | undefined, isGits: boolean): boolean {
    const before = this.#left.before.get(name);
    if (before !== undefined) this.#seen.add(name);
    if (before !== undefined && entry !== undefined && isSame(before, entry)) return false;
    const bytes = entry === undefined ? Infinity : entry.kind === 'file' ? entry.bytes.length : 0;
    if (!isGits) this.#changed.push({ path: name, change: before === undefined ? 'added' : 'changed', bytes });
    return true;
  }

  /** Programs keep their environment in their home by the way: there only the planted file counts. */
  #search(entry: WorkEntry, { part, isGits }: { readonly part: Part; readonly isGits: boolean }): void {
    const { search, planted } = this.#left;
    if (search === undefined || (part === 'home' && isPlanted(entry, planted))) return;
    const bytes = bytesOf(entry);
    for (const each of isGits ? [bytes, inflated(bytes)] : [bytes]) {
      const raw = search.inBytes(each, part === 'home' ? 'file' : undefined);
      const kinds = raw.includes('variable') ? search.inText(each.toString('latin1')) : raw;
      for (const kind of kinds) this.touched.add(kind);
    }
  }
}

function isPlanted(entry: WorkEntry, planted: FoldersLeft['planted']): boolean {
  return planted?.path === entry.path && planted.text === bytesOf(entry).toString();
}

function bytesOf(entry: WorkEntry): Buffer {
  return Buffer.from(entry.kind === 'file' ? entry.bytes : Buffer.from(entry.to));
}

async function listOf(place: Buffer): Promise<readonly string[]> {
  const list = (): Promise<readonly string[]> => readdir(place, { encoding: 'latin1' });
  return list().catch(async () => {
    await chmod(place, 0o700).catch(() => undefined);
    return list().catch(() => []);
  });
}

async function entryAt(place: Buffer, name: string, found: Stats): Promise<WorkEntry | undefined> {
  if (found.isSymbolicLink()) return { kind: 'link', path: name, to: await readlink(place).catch(() => '') };
  if (!found.isFile()) return undefined;
  const read = (): Promise<Buffer | undefined> => readPlainBytes(place, limits.bytes);
  let bytes = await read();
  if (bytes === undefined) {
    await chmod(place, found.mode | 0o600).catch(() => undefined);
    bytes = await read();
  }
  return { kind: 'file', path: name, bytes: bytes ?? new Uint8Array(), executable: (found.mode & 0o100) !== 0 };
}

function isSame(before: WorkEntry, now: WorkEntry): boolean {
  if (before.kind === 'link' || now.kind === 'link')
    return before.kind === 'link' && now.kind === 'link' && before.to === now.to;
  return before.executable === now.executable && Buffer.compare(before.bytes, now.bytes) === 0;
}

const mostInflated = 8 * 1024 * 1024;

/** What git stored by itself lies compressed. */
function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: mostInflated });
  } catch {
    return Buffer.alloc(0);
  }
}
