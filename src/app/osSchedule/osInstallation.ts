import { givesUpAfter } from '../../models/wrappers/breaker.js';
import { giveUpOf, type GiveUp } from '../runs/bound/giveUpOf.js';
import { mkdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { parseScheduleSettings } from '../../schedule/scheduleSettings.js';
import {
  planOsSchedule,
  schedulerOf,
  type OsPlan,
  type ScheduledFile,
  type OsScheduler,
} from '../../schedule/osSchedule.js';
import type { OsEntry } from '../../schedule/osEntry.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import type { UserStore } from '../../storage/state/store.js';
import { assertNightRuns } from './osBareDoctor.js';
import { copyProgram, removeProgram, nightProgram, nightEnvironment, type HostProgram } from './nightProgram.js';
import { namesEditorModel, onlyInWindow } from '../models/editorModels.js';
import {
  type InstalledSchedule,
  installedIds,
  readInstalled,
  removeInstalled,
  writeInstalled,
  osCopy,
  osPlaces,
} from './installedSchedule.js';
import { enterSchedule, leaveSchedule, writeScheduledFile } from './osScheduler.js';
import { pathsToAdopt } from '../nights/autoAdopt.js';
import { userStore, type World } from '../world.js';

/** What to install, and what it is made from. */
export interface OsScheduleRequest extends InstalledSchedule {
  /** The command line that ships with the face; a copy of it is what runs, so that an update does not break it. */
  readonly cli: string;
  /** The skills in the folders, as they are now. */
  readonly skills?: readonly string[];
  readonly host: HostProgram;
  /** Keys that the person stored, by the host that they are for. */
  readonly keys: Readonly<Record<string, string>>;
}

/** What is or would be installed. Holds nothing secret. */
export interface OsScheduleView {
  readonly id: string;
  readonly scheduler: OsScheduler;
  /** The exact text that the scheduler gets. */
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly mode: string; readonly secret: boolean }[];
  readonly logFile: string;
  readonly installed: boolean;
  /** When a night ends by itself because the model's server gives no answer. */
  readonly givesUp: GiveUp;
}

interface Installation {
  readonly entry: OsEntry;
  readonly plan: OsPlan;
}

/** The exact text and the files of an installation. Changes nothing. */
export async function showOsSchedule(
  world: World,
  request: OsScheduleRequest,
  signal: AbortSignal,
): Promise<OsScheduleView> {
  const store = await userStore(world, 'look');
  const planned = await planInstallation({ world, store }, request, signal);
  const isInstalled = (await readInstalled(store, planned.entry.id)) !== undefined;
  return viewOf(planned, isInstalled, await givesUpAtNight(world, signal));
}

/**
 * Writes the copy, the environment and what the night does by; lets the doctor look around in the scheduler's bare
 * environment; and enters the schedule only where it found nothing wrong. A refusal leaves an earlier entry as it was.
 */
export async function installOsSchedule(
  world: World,
  request: OsScheduleRequest,
  signal: AbortSignal,
): Promise<OsScheduleView> {
  const store = await userStore(world);
  const planned = await planInstallation({ world, store }, request, signal);
  const { entry, plan } = planned;
  const autoAdopt = await pathsToAdopt(world, { skills: [], ...request, workspaceFolders: request.folders });
  const before = await readInstalled(store, entry.id);
  await mkdir(path.dirname(entry.logFile), { recursive: true, mode: 0o700 });
  await copyProgram(request.cli, osCopy(store.folder));
  const [secret] = plan.files;
  const kept = secret === undefined ? undefined : await unlessMissing(readFile(secret.path));
  if (secret !== undefined) await writeScheduledFile(secret);
  await writeInstalled(store, entry.id, { ...installed(request), autoAdopt }, signal);
  try {
    await assertNightRuns(world, entry, signal);
    for (const file of plan.files) await writeScheduledFile(file);
    await enterSchedule(world, { entry, plan }, signal);
  } catch (error) {
    await restore(store, { entry, before, secret, kept }, signal);
    throw error;
  }
  return viewOf(planned, true, await givesUpAtNight(world, signal));
}

/** Takes the entry and everything that it needed away. False where nothing was installed. */
export async function removeOsSchedule(
  world: World,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const store = await userStore(world);
  const places = osPlaces(store.folder, folders);
  const was = await readInstalled(store, places.id);
  const left = await leaveSchedule(world, { id: places.id, folder: launcherFolder(world, places.folder) }, signal);
  await removeInstalled(store, places.id);
  await unlessMissing(unlink(places.environmentFile));
  if ((await installedIds(store)).length === 0) await removeProgram(places.cli);
  return was !== undefined || left;
}

/** Nights keep running after an update of the extension; this lets them run what the update brought. */
export async function refreshOsCopy(world: World, cli: string): Promise<boolean> {
  const store = await userStore(world);
  return (await installedIds(store)).length > 0 && copyProgram(cli, osCopy(store.folder));
}

async function planInstallation(
  { world, store }: { readonly world: World; readonly store: UserStore },
  request: OsScheduleRequest,
  signal: AbortSignal,
): Promise<Installation> {
  const ofWindow = Object.values(request.models).find((spec) => spec !== undefined && namesEditorModel(spec));
  if (ofWindow !== undefined) throw onlyInWindow(ofWindow);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { cron } = parseScheduleSettings({ enabled: true, at: request.at }, zone);
  const places = osPlaces(store.folder, request.folders);
  const program = await nightProgram(world, request.host, signal);
  const entry: OsEntry = {
    id: places.id,
    root: request.folders[0] ?? '',
    cron,
    program: program.path,
    arguments: [places.cli, 'night', '--scheduled', places.id],
    environmentFile: places.environmentFile,
    logFile: places.logFile,
  };
  const environment = nightEnvironment(world, request, program);
  const folder = launcherFolder(world, places.folder);
  return { entry, plan: planOsSchedule(schedulerOf(world.platform), { entry, environment, folder }) };
}

/** launchd reads its agents from one folder of the person; everywhere else ours will do. */
function launcherFolder({ platform, home }: World, own: string): string {
  return platform === 'darwin' ? path.posix.join(home, 'Library', 'LaunchAgents') : own;
}

async function restore(
  store: UserStore,
  {
    entry,
    before,
    secret,
    kept,
  }: {
    readonly entry: OsEntry;
    readonly before: InstalledSchedule | undefined;
    readonly secret: ScheduledFile | undefined;
    readonly kept: Buffer | undefined;
  },
  signal: AbortSignal,
): Promise<void> {
  if (before === undefined) await removeInstalled(store, entry.id);
  else await writeInstalled(store, entry.id, before, signal);
  if (secret === undefined) return;
  if (kept === undefined) await unlessMissing(unlink(secret.path));
  else await writeScheduledFile({ ...secret, text: kept.toString('utf8') });
}

function installed(request: OsScheduleRequest): InstalledSchedule {
  const { cli: _cli, skills: _skills, host: _host, keys: _keys, ...rest } = request;
  return rest;
}

/** As usual where no model can be told yet. */
async function givesUpAtNight(world: World, signal: AbortSignal): Promise<GiveUp> {
  const models = await world.models(signal).catch(() => undefined);
  return models === undefined ? givesUpAfter : giveUpOf(models);
}

function viewOf({ entry, plan }: Installation, isInstalled: boolean, givesUp: GiveUp): OsScheduleView {
  return {
    id: entry.id,
    scheduler: plan.scheduler,
    text: plan.text,
    files: plan.files.map(({ path: file, mode, secret }) => ({
      path: file,
      mode: mode.toString(8).padStart(4, '0'),
      secret,
    })),
    logFile: entry.logFile,
    installed: isInstalled,
    givesUp,
  };
}
