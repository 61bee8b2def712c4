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
  for (const folder of folders) workedOn.add(path.resolve(folder));
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
  const places = await Promise.all([...new Set([...workspace, ...workedOn])].map(realOf));
  const around = await Promise.all(places.map(cloneAround));
  // Programs of the person lie in their home too.
  return [...new Set([...places, ...around])].filter((place) => !isInside(place, home));
}

/** The nearest folder upwards that git or Whetstone keep their own in; the place itself where there is none. */
async function cloneAround(place: string): Promise<string> {
  for (let folder = place; ; folder = path.dirname(folder)) {
    if ((await isThere(path.join(folder, '.git'))) || (await isThere(path.join(folder, '.whetstone')))) return folder;
    if (path.dirname(folder) === folder) return place;
  }
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
