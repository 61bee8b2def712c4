import { realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInside } from './isInside.js';

/** The folders that a PATH names, under whichever spelling: Windows has Path. */
export function foldersOfPath(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  return named.split(path.delimiter);
}

/** Of every skill that this process has opened, wherever it was started. */
const workedOn = new Set<string>();

/** Says that work is done on these folders: from now on no program in them, or in the clone around them, is the person's. */
export function stayOutOf(folders: readonly string[]): void {
  for (const folder of folders.map((place) => path.resolve(place))) {
    if (extents.get(folder)?.length === 1) extents.delete(folder);
    workedOn.add(folder);
  }
}

/**
 * Those of the folders that programs of the person are looked for in: absolute ones, and none of the workspace, for a clone
 * may hold a program of any name.
 */
export async function searchedFolders(
  folders: readonly string[],
  workspace: readonly string[],
): Promise<readonly string[]> {
  const closed = await closedFolders(workspace);
  const kept: string[] = [];
  for (const folder of folders) if (path.isAbsolute(folder) && !(await isIn(closed, folder))) kept.push(folder);
  return kept;
}

/** Whether all of these files lie outside of the workspace, wherever links to them lie. */
export async function lieOutside(files: readonly string[], workspace: readonly string[]): Promise<boolean> {
  const closed = await closedFolders(workspace);
  for (const file of files) if (await isIn(closed, file)) return false;
  return true;
}

async function isIn(closed: readonly string[], place: string): Promise<boolean> {
  const real = await realOf(place);
  return closed.some((folder) => isInside(folder, real));
}

/** Real paths of the workspace, of what was worked on, and of the clones around them. */
async function closedFolders(workspace: readonly string[]): Promise<readonly string[]> {
  const home = await realOf(os.homedir());
  const looked = new Map<string, Promise<boolean>>();
  const closed = await Promise.all([...new Set([...workspace, ...workedOn])].map((place) => extentOf(place, looked)));
  // Programs of the person lie in their home too.
  return [...new Set(closed.flat())].filter((place) => !isInside(place, home));
}

/**
 * What is not looked for again, for a process may open thousands: the clone that was found around a place stays closed,
 * and a place that is gone stays closed alone until it is opened anew.
 */
const extents = new Map<string, readonly string[]>();

async function extentOf(place: string, looked: Map<string, Promise<boolean>>): Promise<readonly string[]> {
  const known = extents.get(place);
  if (known !== undefined) return known;
  const real = await realpath(place).catch(() => undefined);
  const clone = real === undefined ? undefined : await cloneAround(real, looked);
  const extent = [real ?? path.resolve(place), ...(clone === undefined ? [] : [clone])];
  if (clone !== undefined || (real === undefined && workedOn.has(place))) extents.set(place, extent);
  return extent;
}

/** The nearest folder upwards that git or Whetstone keep their own in. `looked`: what this search has seen already. */
async function cloneAround(place: string, looked: Map<string, Promise<boolean>>): Promise<string | undefined> {
  for (let folder = place; ; folder = path.dirname(folder)) {
    const found = looked.get(folder) ?? isClone(folder);
    looked.set(folder, found);
    if (await found) return folder;
    if (path.dirname(folder) === folder) return undefined;
  }
}

async function isClone(folder: string): Promise<boolean> {
  return (await isThere(path.join(folder, '.git'))) || (await isThere(path.join(folder, '.whetstone')));
}

async function isThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    () => false,
  );
}

async function realOf(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}
