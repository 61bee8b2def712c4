import { openUserStore } from '../../storage/state/store.js';
import { makeUserState } from '../../storage/state/userState.js';
import { examine } from './doctor.js';
import type { OsScheduleMethods } from './osNightly.js';
import { osPlaces } from './osPlaces.js';
import { readInstalled } from './osRecord.js';
import { installOsSchedule, refreshOsCopy, removeOsSchedule, showOsSchedule } from './osSchedule.js';
import type { World } from '../world.js';

/** What works while no window is open, wired to this user's state. */
export function osMethods(world: World): OsScheduleMethods {
  const parts = async () => ({ world, store: await openUserStore(await makeUserState(world), world.clock) });
  return {
    showOsSchedule: async (request, signal) => showOsSchedule(await parts(), request, signal),
    installOsSchedule: async (request, signal) => installOsSchedule(await parts(), request, signal),
    removeOsSchedule: async (folders, signal) => removeOsSchedule(await parts(), folders, signal),
    installedOsSchedule: async (which) => {
      const { store } = await parts();
      return readInstalled(store, 'id' in which ? which.id : osPlaces(store.folder, which.folders).id);
    },
    refreshOsCopy: async (cli) => refreshOsCopy((await parts()).store, cli),
    doctor: (request, signal) => examine(world, request, signal),
  };
}
