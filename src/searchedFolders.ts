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

/** All of them so far. */
export function foldersWorkedOn(): readonly string[] {
  return [...workedOn];
}

/**
 * Those of the folders that programs of the person are looked for in: absolute ones, and none of the workspace, for a clone
 * may hold a program of any name.
 */
export async function searchedFolders(
  folders: readonly string[],
  workspace: readonly string[],
): Promise<readonly string[]> {
  const isClosed = await closedTo(workspace);
  const kept: string[] = [];
  for (const folder of folders) if (path.isAbsolute(folder) && !(await isClosed(folder))) kept.push(folder);
  return kept;
}

/** Whether all of these files lie outside of the workspace, wherever links to them lie. */
export async function lieOutside(files: readonly string[], workspace: readonly string[]): Promise<boolean> {
  const isClosed = await closedTo(workspace);
  for (const file of files) if (await isClosed(file)) return false;
  return true;
}

/**
 * Tells what lies in the workspace, in what was worked on, in the clones around them, or in the packages that are
 * installed there or above: npm puts the programs of those first in PATH.
 */
async function closedTo(workspace: readonly string[]): Promise<(place: string) => Promise<boolean>> {
  const closed = new Set((await withClones([...workspace, ...workedOn])).map(asCompared));
  const above = allAbove(closed);
  const isClosed = (folder: string): boolean =>
    closed.has(folder) || (path.basename(folder) === 'node_modules' && above.has(path.dirname(folder)));
  return async (place) =>
    [path.resolve(place), await realOf(place)].some((each) => foldersAbove(asCompared(each)).some(isClosed));
}

/** Windows does not tell capital letters apart. */
function asCompared(place: string): string {
  return process.platform === 'win32' ? place.toLowerCase() : place;
}

/** These places and all folders above them, each looked at once: there may be thousands, most of them side by side. */
function allAbove(places: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const place of places) for (let at = place; !all.has(at); at = path.dirname(at)) all.add(at);
  return all;
}

function foldersAbove(place: string): readonly string[] {
  const above = path.dirname(place);
  return above === place ? [place] : [place, ...foldersAbove(above)];
}

/** Real paths of these places and of the clones around them; none that the person's home lies in. */
export async function withClones(places: readonly string[]): Promise<readonly string[]> {
  const home = await realOf(os.homedir());
  const look = { home, looked: new Map<string, Promise<boolean>>() };
  const unknown = [...new Set(places)].filter((place) => !extents.has(place));
  const known = places.flatMap((place) => extents.get(place) ?? []);
  const closed = await Promise.all(unknown.map((place) => extentOf(place, look)));
  // Programs of the person lie in their home too.
  const aboveHome = allAbove([asCompared(home)]);
  return [...new Set([...known, ...closed.flat()])].filter((place) => !aboveHome.has(asCompared(place)));
}

/**
 * What is not looked for again, for a process may open thousands: the clone that was found around a place stays closed,
 * and a place that is gone stays closed alone until it is opened anew.
 */
const extents = new Map<string, readonly string[]>();

/** One search: whose home it is, and which folders it has seen already. */
interface Look {
  readonly home: string;
  readonly looked: Map<string, Promise<boolean>>;
}

async function extentOf(place: string, look: Look): Promise<readonly string[]> {
  const known = extents.get(place);
  if (known !== undefined) return known;
  const real = await realpath(place).catch(() => undefined);
  const clone = real === undefined ? undefined : await cloneAround(real, look);
  const extent = [real ?? path.resolve(place), ...(clone === undefined ? [] : [clone])];
  if (clone !== undefined || (real === undefined && workedOn.has(place))) extents.set(place, extent);
  return extent;
}

/**
 * The outermost folder that git or Whetstone keep their own in, short of the one that the person's home lies in: a clone
 * may hold another one, or a folder that only looks like it.
 */
async function cloneAround(place: string, { home, looked }: Look): Promise<string | undefined> {
  let clone: string | undefined;
  for (const folder of foldersAbove(place)) {
    if (isInside(folder, home)) break;
    const found = looked.get(folder) ?? isClone(folder);
    looked.set(folder, found);
    if (await found) clone = folder;
  }
  return clone;
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
