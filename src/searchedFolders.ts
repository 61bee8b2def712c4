import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInside } from './isInside.js';

/** The folders that a PATH names, under whichever spelling: Windows has Path. */
export function foldersOfPath(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  return named.split(path.delimiter);
}

/**
 * Those of the folders that programs of the person are looked for in: absolute ones, and none of the workspace, for a clone
 * may hold a program of any name.
 */
export async function searchedFolders(
  folders: readonly string[],
  workspace: readonly string[],
): Promise<readonly string[]> {
  const home = await realOf(os.homedir());
  const places = await Promise.all(workspace.map(realOf));
  const outside = places.filter((place) => !isInside(place, home)); // programs of the person lie in their home too
  const kept: string[] = [];
  for (const folder of folders) {
    if (!path.isAbsolute(folder)) continue;
    const real = await realOf(folder);
    if (!outside.some((place) => isInside(place, real))) kept.push(folder);
  }
  return kept;
}

async function realOf(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}
