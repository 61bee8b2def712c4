import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { foldersAbove } from './insideTree.js';

/*
 * Writing into a folder that somebody else may have worked in and nobody works in now. What is in the way is removed, links
 * and folders too, so that nothing is written through one.
 */

export async function isRealFolder(place: string): Promise<boolean> {
  return (await lstat(place).catch(() => undefined))?.isDirectory() === true;
}

/** Makes the folders above a path in `folder`, each a real one. `made` knows those that are. */
export async function wayTo(folder: string, name: string, made = new Set<string>()): Promise<void> {
  for (const inside of foldersAbove(name).toReversed()) {
    if (made.has(inside)) continue;
    const place = path.join(folder, inside);
    const found = await lstat(place).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) await rm(place);
    if (found?.isDirectory() === true) await chmod(place, found.mode | 0o700);
    else await mkdir(place);
    made.add(inside);
  }
}

/** Throws where a folder above one of these paths is no real one: asked at the last moment before a write. */
export async function refuseLinkedWay(folder: string, names: readonly string[]): Promise<void> {
  const above = new Set(names.flatMap((name) => foldersAbove(name)));
  for (const inside of ['', ...above])
    if (!(await isRealFolder(path.join(folder, inside))))
      throw new Error(`${path.join(folder, inside)} is no folder of its own, and nothing is written through it.`);
}

/** Removes what lies there: a link itself, never what it leads to. */
export async function clear(place: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found !== undefined) await rm(place, { recursive: true, force: true });
}

/** Small files that only their owner reads. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await wayTo(folder, name);
    await refuseLinkedWay(folder, [name]);
    await clear(path.join(folder, name));
    await writeFile(path.join(folder, name), content, { mode: 0o600, flag: 'wx' });
  }
}
