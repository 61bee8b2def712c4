import { lstat, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../errors.js';
import { canonicalJson, sha256 } from '../../../hash.js';
import type { WorkEntry, WorkTree } from '../../../ports/agentWork.js';
import { readPlainBytes } from '../readPlainFile.js';
import { leftOut } from '../throwAwayCopy.js';
import { namesClosed, refuseDoubled, withoutLinksOut } from './insideTree.js';
import { clear, refuseLinkedWay, wayTo } from './writeInside.js';

/** What an attempt may start from: it is held in memory for the whole run, and written anew for each attempt. */
const treeLimits = { files: 20_000, bytes: 64 * 1024 * 1024 };

/** Entries in the order of their paths, under a hash of paths, bytes and modes. */
export function treeOf(entries: readonly WorkEntry[]): WorkTree {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const told = sorted.map((entry) =>
    entry.kind === 'link' ? [entry.path, entry.to] : [entry.path, entry.executable, sha256(entry.bytes)],
  );
  return { hash: sha256(canonicalJson(told)), entries: sorted };
}

/**
 * The files of a folder as they are now. Left out are what git and Whetstone keep there, links that lead out of it, and
 * what is neither file, folder nor link; and what `isTaken` refuses, which is asked with each path.
 */
export async function treeOfFolder(
  folder: string,
  signal: AbortSignal,
  isTaken: (path: string) => boolean = () => true,
): Promise<WorkTree> {
  const taken = takeEntries(folder);
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new UserError(
      'tasks-malformed',
      `There is no folder ${folder} to start from.`,
      'Name a folder that is there.',
    );
  await takeFolder(folder, '', { ...taken, isTaken }, signal);
  return treeOf(withoutLinksOut(taken.entries));
}

/** Gathers entries, and refuses what is more than an attempt may start from. */
export function takeEntries(what: string): TakenEntries {
  const entries: WorkEntry[] = [];
  let bytes = 0;
  return {
    entries,
    take: (entry) => {
      entries.push(entry);
      bytes += entry.kind === 'file' ? entry.bytes.length : 0;
      refuseTooLarge(what, { files: entries.length, bytes });
    },
  };
}

interface TakenEntries {
  readonly entries: readonly WorkEntry[];
  readonly take: (entry: WorkEntry) => void;
}

export function refuseTooLarge(what: string, { files, bytes }: typeof treeLimits): void {
  if (files <= treeLimits.files && bytes <= treeLimits.bytes) return;
  const most = `${treeLimits.files} files or ${treeLimits.bytes / 1024 / 1024} MB`;
  throw new UserError(
    'tasks-malformed',
    `${what} holds more than ${most}, and every attempt of an agent starts from a fresh copy of it.`,
    'Name a smaller folder, or a commit of a smaller repository.',
  );
}

interface FolderTaken extends TakenEntries {
  readonly isTaken: (path: string) => boolean;
}

async function takeFolder(folder: string, inside: string, taken: FolderTaken, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const found = await readdir(path.join(folder, inside), { withFileTypes: true });
  for (const each of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (leftOut.has(each.name.toLowerCase())) continue;
    const name = path.posix.join(inside, each.name);
    if (!taken.isTaken(name)) continue;
    const place = path.join(folder, name);
    if (name.includes('\uFFFD')) await refuseNoText(place);
    if (each.isDirectory()) await takeFolder(folder, name, taken, signal);
    if (each.isSymbolicLink()) taken.take({ kind: 'link', path: name, to: await readlink(place) });
    if (each.isFile()) await takeFile(place, name, taken);
  }
}

/** Names are bytes to the system; one that is no text is not found by its text. */
async function refuseNoText(place: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined)
    throw new UserError('tasks-malformed', `The name ${place} is no UTF-8.`, 'Give it another name, or take it away.');
}

async function takeFile(place: string, name: string, { take }: TakenEntries): Promise<void> {
  const found = await lstat(place);
  refuseTooLarge(name, { files: 1, bytes: found.size });
  const bytes = await readPlainBytes(place, treeLimits.bytes);
  if (bytes === undefined)
    throw new UserError('tasks-malformed', `${place} could not be read.`, 'Allow it to be read, or take it away.');
  take({ kind: 'file', path: name, bytes, executable: (found.mode & 0o100) !== 0 });
}

const atOnce = 32;

/**
 * Writes a tree over a folder in which nobody is at work. What is in its way is removed, links and folders too, so that
 * nothing is written through one: an agent may have left it there. Links come last, one by one.
 */
export async function writeTree({ entries }: WorkTree, folder: string): Promise<void> {
  refuseClosed(entries);
  refuseDoubled(entries);
  const made = new Set<string>();
  for (const entry of entries) await wayTo(folder, entry.path, made);
  const files = entries.filter((entry) => entry.kind === 'file');
  for (let from = 0; from < files.length; from += atOnce) await writeAll(files.slice(from, from + atOnce), folder);
  for (const entry of entries) if (entry.kind === 'link') await writeAll([entry], folder);
}

/** Throws where a tree from elsewhere would be written outside of its folder, over itself, or is more than one may be. */
export function refuseUnlawful(entries: readonly WorkEntry[]): void {
  const bytes = entries.reduce((sum, entry) => sum + (entry.kind === 'file' ? entry.bytes.length : 0), 0);
  refuseTooLarge('A folder', { files: entries.length, bytes });
  refuseClosed(entries);
  refuseDoubled(entries);
}

function refuseClosed(entries: readonly WorkEntry[]): void {
  const staying = new Set(withoutLinksOut(entries));
  for (const entry of entries) {
    const parts = entry.path.split('/');
    const isPlain = !path.posix.isAbsolute(entry.path) && !parts.some((part) => part === '' || part === '.');
    if (!isPlain || !staying.has(entry) || namesClosed(entry.path))
      throw new Error(`“${entry.path}” leads out of the work folder.`);
  }
}

async function writeAll(entries: readonly WorkEntry[], folder: string): Promise<void> {
  await refuseLinkedWay(
    folder,
    entries.map((entry) => entry.path),
  );
  await Promise.all(entries.map((entry) => writeEntry(entry, path.join(folder, entry.path))));
}

async function writeEntry(entry: WorkEntry, place: string): Promise<void> {
  await clear(place);
  if (entry.kind === 'link') await symlink(entry.to, place);
  else await writeFile(place, entry.bytes, { mode: entry.executable ? 0o755 : 0o644, flag: 'wx' });
}
