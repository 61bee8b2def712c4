import { chmod, lstat, mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../errors.js';
import { canonicalJson, sha256 } from '../../../hash.js';
import type { WorkEntry, WorkTree } from '../../../ports/agentWork.js';
import { readPlainBytes } from '../readPlainFile.js';
import { leftOut } from '../throwAwayCopy.js';

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
  return treeOf(taken.entries);
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
    if (leftOut.has(each.name)) continue;
    const name = path.posix.join(inside, each.name);
    if (!taken.isTaken(name)) continue;
    const place = path.join(folder, name);
    if (each.isDirectory()) await takeFolder(folder, name, taken, signal);
    if (each.isSymbolicLink()) takeLink(name, await readlink(place), taken);
    if (each.isFile()) await takeFile(place, name, taken);
  }
}

/** Takes a link where it leads to a place inside. */
export function takeLink(name: string, to: string, { take }: TakenEntries): void {
  if (isLinkInside(name, to)) take({ kind: 'link', path: name, to });
}

async function takeFile(place: string, name: string, { take }: TakenEntries): Promise<void> {
  const found = await lstat(place);
  refuseTooLarge(name, { files: 1, bytes: found.size });
  const bytes = await readPlainBytes(place, treeLimits.bytes);
  if (bytes === undefined)
    throw new UserError('tasks-malformed', `${place} could not be read.`, 'Allow it to be read, or take it away.');
  take({ kind: 'file', path: name, bytes, executable: (found.mode & 0o100) !== 0 });
}

/** By name alone: no link is followed. */
export function isLinkInside(name: string, to: string): boolean {
  if (path.posix.isAbsolute(to)) return false;
  const target = path.posix.join(path.posix.dirname(name), to);
  return target !== '..' && !target.startsWith('../') && !namesClosed(target);
}

/** A name that no entry may have: outside, or where git keeps what it runs. */
function namesClosed(name: string): boolean {
  const parts = name.split('/');
  return parts.some((part) => part === '..' || part.toLowerCase() === '.git' || part.includes('\0'));
}

const atOnce = 32;

/**
 * Writes a tree over a folder in which nobody is at work. What is in its way is removed, links and folders too, so that
 * nothing is written through one: an agent may have left it there.
 */
export async function writeTree({ entries }: WorkTree, folder: string): Promise<void> {
  const made = new Set<string>();
  for (const entry of entries) refuseClosed(entry);
  for (const entry of entries) await wayTo(folder, path.posix.dirname(entry.path), made);
  for (let from = 0; from < entries.length; from += atOnce)
    await Promise.all(entries.slice(from, from + atOnce).map((entry) => writeEntry(entry, folder)));
}

function refuseClosed(entry: WorkEntry): void {
  const parts = entry.path.split('/');
  const isPlain = !path.posix.isAbsolute(entry.path) && !parts.some((part) => part === '' || part === '.');
  const stays = entry.kind === 'file' || isLinkInside(entry.path, entry.to);
  if (!isPlain || !stays || namesClosed(entry.path)) throw new Error(`“${entry.path}” leads out of the work folder.`);
}

/** Makes the folders of a path, each a real one. */
async function wayTo(folder: string, inside: string, made: Set<string>): Promise<void> {
  if (inside === '.' || made.has(inside)) return;
  await wayTo(folder, path.posix.dirname(inside), made);
  const place = path.join(folder, inside);
  const found = await lstat(place).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) await rm(place);
  if (found?.isDirectory() === true) await chmod(place, found.mode | 0o700);
  else await mkdir(place);
  made.add(inside);
}

async function writeEntry(entry: WorkEntry, folder: string): Promise<void> {
  const place = path.join(folder, entry.path);
  const found = await lstat(place).catch(() => undefined);
  if (found !== undefined) await rm(place, { recursive: true, force: true });
  if (entry.kind === 'link') await symlink(entry.to, place);
  else await writeFile(place, entry.bytes, { mode: entry.executable ? 0o755 : 0o644, flag: 'wx' });
}
