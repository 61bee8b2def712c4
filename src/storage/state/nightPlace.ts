import { access } from 'node:fs/promises';
import path from 'node:path';
import { sha256 } from '../../hash.js';
import { userStateFolder, type Surroundings } from './userState.js';

/** Names a workspace by its folders: every window and every process on the same folders shares one schedule. */
export function placeOf(folders: readonly string[]): string {
  return [...folders].sort().join('\n');
}

/** Where it is kept whether nights are on in a place: a path in user state. */
export function nightSwitchFile(place: string): string {
  return `night-switches/${sha256(place).slice(0, 32)}.json`;
}

/** Whether it is kept at all. Reads nothing of it: a window in which nobody ever turned nights on loads nothing for them. */
export async function hasNightSwitch(surroundings: Surroundings, folders: readonly string[]): Promise<boolean> {
  const file = path.join(userStateFolder(surroundings), nightSwitchFile(placeOf(folders)));
  return access(file).then(
    () => true,
    () => false,
  );
}
