import { chmod, cp, lstat, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../errors.js';
import { isInside } from '../../isInside.js';

/** Not part of what a program works on, at whatever depth: never copied, so never run. */
export const leftOut = new Set(['.git', '.whetstone']);

/** A folder of which no copy could be made: it is not there, it is a file, or it cannot be read. */
export class NotCopiedError extends Error {}

/** What a copy is made of: a folder, or one file of it. */
export interface ToCopy {
  readonly folder: string | undefined;
  readonly only?: string | undefined;
  /** The folder that the copy is made in. */
  readonly place: string;
}

/**
 * Does `work` in a fresh folder that holds a copy of `folder`, or nothing, and removes it afterwards. Links that lead
 * out of the folder are left out of the copy: through one of them a program would write to the original. Throws
 * {@link NotCopiedError} before any work is done.
 */
export async function inThrowAwayCopy<T>(
  { folder, only, place }: ToCopy,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  const copy = await mkdtemp(path.join(place, 'whetstone-'));
  try {
    if (folder !== undefined) await copyInto(folder, copy, only);
    return await work(copy);
  } finally {
    await removeFolder(copy);
  }
}

/** Removes a folder whatever a program made of its permissions. What cannot be removed changes no result. */
export async function removeFolder(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  try {
    await remove();
  } catch {
    await openFolders(folder);
    await remove().catch(() => undefined);
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await openFolders(path.join(folder, entry.name)); // never through a link
}

async function copyInto(folder: string, copy: string, only: string | undefined): Promise<void> {
  try {
    await copyAll(folder, copy, only);
  } catch (error) {
    throw new NotCopiedError(`The folder ${folder} could not be copied: ${messageOf(error)}`, { cause: error });
  }
}

async function copyAll(folder: string, copy: string, only: string | undefined): Promise<void> {
  await cp(folder, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (source) => {
      if (only !== undefined && source !== folder && source !== path.join(folder, only)) return false;
      if (leftOut.has(path.basename(source)) && source !== folder) return false;
      const found = await lstat(source);
      if (found.isSymbolicLink()) return staysInside(folder, source, await readlink(source));
      return found.isFile() || found.isDirectory();
    },
  });
}

function staysInside(folder: string, link: string, target: string): boolean {
  return !path.isAbsolute(target) && isInside(folder, path.resolve(path.dirname(link), target));
}
