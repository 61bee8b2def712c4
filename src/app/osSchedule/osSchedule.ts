import { userStore, type World } from '../world.js';
import { examine, type DoctorRequest, type DoctorResult } from './doctor.js';
import { osPlaces, readInstalled, type InstalledSchedule } from './installedSchedule.js';
import {
  installOsSchedule,
  refreshOsCopy,
  removeOsSchedule,
  showOsSchedule,
  type OsScheduleRequest,
  type OsScheduleView,
} from './osInstallation.js';

/** What works while no window is open. */
export interface OsScheduleUseCases {
  /** What an installation would do. Changes nothing. */
  showOsSchedule(request: OsScheduleRequest, signal: AbortSignal): Promise<OsScheduleView>;
  /** Checks that a night would run in the scheduler's bare environment, and only then installs it. */
  installOsSchedule(request: OsScheduleRequest, signal: AbortSignal): Promise<OsScheduleView>;
  /** False where nothing was installed. */
  removeOsSchedule(folders: readonly string[], signal: AbortSignal): Promise<boolean>;
  /** What was installed under this id, or for these folders; undefined where nothing was. */
  installedOsSchedule(
    which: { readonly id: string } | { readonly folders: readonly string[] },
  ): Promise<InstalledSchedule | undefined>;
  /** Brings the copy that installed nights run up to date with the command line given. Does nothing where none is installed. */
  refreshOsCopy(cli: string): Promise<boolean>;
  doctor(request: DoctorRequest, signal: AbortSignal): Promise<DoctorResult>;
}

/** Wired to this user's state and the scheduler of the machine. */
export function createOsScheduleUseCases(world: World): OsScheduleUseCases {
  return {
    showOsSchedule: (request, signal) => showOsSchedule(world, request, signal),
    installOsSchedule: (request, signal) => installOsSchedule(world, request, signal),
    removeOsSchedule: (folders, signal) => removeOsSchedule(world, folders, signal),
    async installedOsSchedule(which) {
      const store = await userStore(world, 'look');
      return readInstalled(store, 'id' in which ? which.id : osPlaces(store.folder, which.folders).id);
    },
    refreshOsCopy: (cli) => refreshOsCopy(world, cli),
    doctor: (request, signal) => examine(world, request, signal),
  };
}
