import { mkdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { parseScheduleSettings } from '../../schedule/scheduleSettings.js';
import { planOsSchedule, schedulerOf, type OsPlan, type ScheduledFile } from '../../schedule/osSchedule.js';
import type { OsEntry } from '../../schedule/osEntry.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import type { UserStore } from '../../storage/state/store.js';
import { assertNightRuns } from './osBareDoctor.js';
import { copyProgram, removeProgram } from './osCopy.js';
import { nightEnvironment } from './osEnvironment.js';
import { namesEditorModel, onlyInWindow } from '../models/editorModels.js';
import type { InstalledSchedule, OsScheduleRequest, OsScheduleView } from './osNightly.js';
import { osCopy, osPlaces } from './osPlaces.js';
import { nightProgram } from './osProgram.js';
import { installedIds, readInstalled, removeInstalled, writeInstalled } from './osRecord.js';
import { enterSchedule, leaveSchedule } from './osScheduler.js';
import { writeScheduledFile } from './osFiles.js';
import type { World } from '../world.js';

interface Parts {
  readonly world: World;
  readonly store: UserStore;
}

interface Prepared {
  readonly entry: OsEntry;
  readonly plan: OsPlan;
  readonly environment: Readonly<Record<string, string>>;
}

/** The exact text and the files of an installation. Changes nothing. */
export async function showOsSchedule(
  parts: Parts,
  request: OsScheduleRequest,
  signal: AbortSignal,
): Promise<OsScheduleView> {
  const prepared = await prepare(parts, request, signal);
  return viewOf(prepared, (await readInstalled(parts.store, prepared.entry.id)) !== undefined);
}

/**
 * Writes the copy, the environment and what the night does by; lets the doctor look around in the scheduler's bare
 * environment; and enters the schedule only where it found nothing wrong. A refusal leaves an earlier entry as it was.
 */
export async function installOsSchedule(
  { world, store }: Parts,
  request: OsScheduleRequest,
  signal: AbortSignal,
): Promise<OsScheduleView> {
  const prepared = await prepare({ world, store }, request, signal);
  const { entry, plan } = prepared;
  const before = await readInstalled(store, entry.id);
  await mkdir(path.dirname(entry.logFile), { recursive: true, mode: 0o700 });
  await copyProgram(request.cli, osCopy(store.folder));
  const [secret] = plan.files;
  const kept = secret === undefined ? undefined : await unlessMissing(readFile(secret.path));
  if (secret !== undefined) await writeScheduledFile(secret);
  await writeInstalled(store, entry.id, installed(request), signal);
  try {
    await assertNightRuns(world, entry, signal);
    for (const file of plan.files) await writeScheduledFile(file);
    await enterSchedule(world, { entry, plan }, signal);
  } catch (error) {
    await restore(store, { entry, before, secret, kept }, signal);
    throw error;
  }
  return viewOf(prepared, true);
}

/** Takes the entry and everything that it needed away. False where nothing was installed. */
export async function removeOsSchedule(
  { world, store }: Parts,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const places = osPlaces(store.folder, folders);
  const was = await readInstalled(store, places.id);
  const left = await leaveSchedule(world, { id: places.id, folder: launcherFolder(world, places.folder) }, signal);
  await removeInstalled(store, places.id);
  await unlessMissing(unlink(places.environmentFile));
  if ((await installedIds(store)).length === 0) await removeProgram(places.cli);
  return was !== undefined || left;
}

/** Nights keep running after an update of the extension; this lets them run what the update brought. */
export async function refreshOsCopy(store: UserStore, cli: string): Promise<boolean> {
  return (await installedIds(store)).length > 0 && copyProgram(cli, osCopy(store.folder));
}

async function prepare({ world, store }: Parts, request: OsScheduleRequest, signal: AbortSignal): Promise<Prepared> {
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
  return { entry, environment, plan: planOsSchedule(schedulerOf(world.platform), { entry, environment, folder }) };
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
  const { cli: _cli, host: _host, keys: _keys, ...rest } = request;
  return rest;
}

function viewOf({ entry, plan }: Prepared, isInstalled: boolean): OsScheduleView {
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
  };
}
