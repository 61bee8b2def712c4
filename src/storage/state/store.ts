import { mkdir } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.js';
import type { Places } from './places.js';
import { noProbe, type Probe } from '../files/durableWrite.js';
import { type ProcessIdentity, thisProcess } from '../files/runningProcess.js';
import type { HideSecrets } from './hiddenSecrets.js';
import { findStateKey, openStateKey, type StateKey } from './stateKey.js';

/** This user's state, opened: what every file of storage is read and written with. */
export interface UserStore {
  readonly folder: string;
  readonly key: StateKey;
  readonly clock: Clock;
  readonly self: ProcessIdentity;
  readonly probe: Probe;
  /** Takes secrets out of what is stored; nothing is taken out by a store that is opened without it. */
  readonly hide?: HideSecrets | undefined;
}

/** User state together with the places of one skill. */
export interface SkillStore extends UserStore {
  readonly places: Places;
}

/** Opens user state; makes its key at first use. */
export async function openUserStore(folder: string, clock: Clock, probe: Probe = noProbe): Promise<UserStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [key, self] = await Promise.all([openStateKey(folder), thisProcess()]);
  return { folder, key, clock, self, probe };
}

/** The same for a look: makes neither folder nor key. */
export async function lookAtUserStore(folder: string, clock: Clock): Promise<UserStore> {
  const [key, self] = await Promise.all([findStateKey(folder), thisProcess()]);
  return { folder, key, clock, self, probe: noProbe };
}

/** Opens user state for the work on one skill. */
export async function openSkillStore(places: Places, clock: Clock, probe: Probe = noProbe): Promise<SkillStore> {
  return { ...(await openUserStore(places.userState, clock, probe)), places };
}
