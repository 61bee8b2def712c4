import { createReadStream, type Stats } from 'node:fs';
import { lstat, opendir, readlink, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../errors.js';
import { canonicalJson, sha256OfPieces } from '../../hash.js';
import type { ProgramContent, ProgramContents, ProgramToRun } from '../../ports/programs.js';
import { unlessMissing } from '../files/fileErrors.js';
import { isInside } from '../../isInside.js';
import { mayRun } from '../../mayRun.js';
import { namedPaths } from './namedPaths.js';
import { shownCommand } from './shownCommand.js';
import { leftOut } from './throwAwayCopy.js';

/** How much is read to know what a program is. What goes beyond is no folder that a person could look through. */
export interface ContentLimits {
  readonly files: number;
  readonly bytes: number;
  readonly ms: number;
}

const usual: ContentLimits = { files: 20_000, bytes: 256 * 1024 * 1024, ms: 10_000 };

/**
 * Knows a program by every byte that would run: the files of its folder with their permissions, links by where they
 * lead, and the files that its command names; `~` is the given home. Never goes through a link that leads out of the skill's folder.
 */
export function programContents(home: string, limits: ContentLimits = usual): ProgramContents {
  return { of: (program, signal) => contentOf(program, { home, limits }, signal) };
}

async function contentOf(
  { command, arguments: words, folder, within, told = [], apart, reads = [] }: ProgramToRun,
  { home, limits }: { readonly home: string; readonly limits: ContentLimits },
  signal: AbortSignal,
): Promise<ProgramContent> {
  const reading: Reading = { left: { ...limits }, until: Date.now() + limits.ms, limits, signal };
  const named = namedPaths([command, ...words], { home, temporary: os.tmpdir() });
  const unbound = [...named.unbound];
  try {
    const inFolder = folder === undefined ? [] : await entriesOfFolder(folder, within, reading);
    const entries = [...inFolder];
    for (const place of named.paths) {
      const found = await namedEntries(place, reading);
      if (found === undefined) unbound.push(`The folder ${place} is too large to be looked through.`);
      else entries.push(...found);
    }
    const onPath = await foundOnPath(command);
    const opened = await Promise.all(reads.map((given) => realName(given, home)));
    const what = { command, arguments: [...words, ...told], entries, onPath, unbound };
    return {
      kind: 'found',
      text: canonicalJson(reads.length === 0 ? what : { ...what, opened }),
      reads: opened,
      shown: shownCommand([command, ...words, ...told.filter((word) => apart?.includes(word) !== true)]),
      unbound,
      plain: unbound.length === 0 ? plainOnly(entries, [command, ...words]) : undefined,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'unreadable', reason: error instanceof NotReadError ? error.message : messageOf(error) };
  }
}

/** Where a declared read leads to now. */
async function realName(given: string, home: string): Promise<string> {
  const place = given.replace(/^~(?=\/|$)/u, home);
  return realpath(place).catch(() => place);
}

/** One thing that a program could run or read, as far as it tells two contents apart. */
type Entry =
  | { readonly path: string; readonly kind: 'file'; readonly executable: boolean; readonly hash: string }
  | { readonly path: string; readonly kind: 'link'; readonly target: string }
  | { readonly path: string; readonly kind: 'missing' | 'special' };

interface Reading {
  readonly left: { files: number; bytes: number };
  readonly until: number;
  readonly limits: ContentLimits;
  readonly signal: AbortSignal;
}

/** A folder that was not read to its end, with the reason as a sentence. */
class NotReadError extends Error {}

async function entriesOfFolder(folder: string, within: string, reading: Reading): Promise<readonly Entry[]> {
  const [real, outer] = await Promise.all([unlessMissing(realpath(folder)), realpath(within)]);
  if (real === undefined) return [];
  if (!isInside(outer, real)) throw new NotReadError(`The folder ${folder} is a link that leads out of ${within}.`);
  if (!(await stat(real)).isDirectory()) throw new NotReadError(`${folder} is not a folder.`);
  return (await entriesBelow(folder, reading)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function entriesBelow(folder: string, reading: Reading): Promise<Entry[]> {
  const found: Entry[] = [];
  for await (const entry of await opendir(folder)) {
    count(reading, folder);
    const place = path.join(folder, entry.name);
    if (leftOut.has(entry.name)) continue;
    if (entry.isDirectory()) found.push(...(await entriesBelow(place, reading)));
    else found.push(await entryAt(place, reading));
  }
  return found;
}

async function entryAt(place: string, reading: Reading): Promise<Entry> {
  const found = await unlessMissing(lstat(place));
  if (found === undefined) return { path: place, kind: 'missing' };
  if (found.isSymbolicLink()) return { path: place, kind: 'link', target: await readlink(place) };
  return found.isFile() ? fileEntry(place, found, reading) : { path: place, kind: 'special' };
}

/** A file that the command names, with what it leads to; undefined for a folder that is too large. */
async function namedEntries(place: string, reading: Reading): Promise<readonly Entry[] | undefined> {
  const entry = await entryAt(place, reading).catch((error: unknown) => passedOver(place, error));
  const real = await unlessMissing(realpath(place).catch(() => place));
  const found = await stat(place).catch(() => undefined);
  const linked: readonly Entry[] =
    real === undefined || real === place ? [] : [{ path: place, kind: 'link', target: real }];
  if (found?.isDirectory() === true) return namedFolder(place, linked, reading);
  if (entry.kind !== 'link' || found?.isFile() !== true) return [...linked, entry];
  return [...linked, await fileEntry(place, found, reading)];
}

const namedFolderLimits = { files: 500, bytes: 16 * 1024 * 1024 }; // a package or a few scripts; /usr is neither

async function namedFolder(
  place: string,
  linked: readonly Entry[],
  reading: Reading,
): Promise<readonly Entry[] | undefined> {
  const own: Reading = { ...reading, left: { ...namedFolderLimits } };
  try {
    const inside = await entriesBelow(place, own);
    return [...linked, ...inside.toSorted((a, b) => (a.path < b.path ? -1 : 1))];
  } catch (error) {
    reading.signal.throwIfAborted();
    if (error instanceof NotReadError) return undefined;
    return [...linked, passedOver(place, error)];
  }
}

/** What may not be read cannot be run by this user either, or is asked about again once it can. */
function passedOver(place: string, error: unknown): Entry {
  if (error instanceof NotReadError) throw error;
  return { path: place, kind: 'special' };
}

async function fileEntry(place: string, found: Stats, reading: Reading): Promise<Entry> {
  reading.left.bytes -= found.size;
  count(reading, path.dirname(place));
  const hash = await hashOf(place, found, reading.signal);
  return { path: place, kind: 'file', executable: (found.mode & 0o111) !== 0, hash };
}

function count(reading: Reading, folder: string): void {
  reading.signal.throwIfAborted();
  reading.left.files -= 1;
  const { files, bytes, ms } = reading.limits;
  if (reading.left.files < 0) throw new NotReadError(`${folder} and what lies beside it are more than ${files} files.`);
  if (reading.left.bytes < 0)
    throw new NotReadError(`${folder} and what lies beside it are over ${megabytes(bytes)} MB.`);
  if (Date.now() > reading.until) throw new NotReadError(`${folder} could not be read within ${ms / 1000} s.`);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

const mostKnown = 50_000;
const settledMs = 2_000; // a file that changed a moment ago may change again within one tick of its clock
const known = new Map<string, string>();

/** The same bytes are hashed once: a run asks before every attempt. The kernel's change time cannot be set back. */
async function hashOf(file: string, found: Stats, signal: AbortSignal): Promise<string> {
  const key = [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(':');
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = await sha256OfPieces(piecesOf(file, signal));
  if (known.size >= mostKnown) known.clear();
  if (Date.now() - found.ctimeMs > settledMs) known.set(key, made);
  return made;
}

/** The signal is looked at between two pieces and not listened to: all programs of a run are read under one. */
async function* piecesOf(file: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
  for await (const piece of createReadStream(file)) {
    signal.throwIfAborted();
    if (piece instanceof Uint8Array) yield piece;
  }
}

/** Where the machine finds a command that is no path: another one of that name is another program. */
async function foundOnPath(command: string): Promise<string | undefined> {
  if (command.includes('/') || command.includes('\\') || process.platform === 'win32') return undefined;
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const place = path.join(folder, command);
    if (path.isAbsolute(folder) && (await mayRun(place))) return place;
  }
  return undefined;
}

interface PlainFile {
  readonly path: string;
  readonly hash: string | undefined;
}

/**
 * What an earlier version knew a program by: the bytes of its files and of those that are words of the command. Undefined
 * where there is more to it, such as a link, so that what was allowed then is asked about again.
 */
function plainOnly(entries: readonly Entry[], words: readonly string[]): readonly PlainFile[] | undefined {
  const plain = entries.flatMap((entry): readonly (PlainFile | undefined)[] => {
    if (entry.kind === 'missing') return words.includes(entry.path) ? [{ path: entry.path, hash: undefined }] : [];
    return entry.kind === 'file' && (!entry.executable || words.includes(entry.path))
      ? [{ path: entry.path, hash: entry.hash }]
      : [undefined];
  });
  const all = plain.filter((each) => each !== undefined);
  return all.length === plain.length ? all : undefined;
}
