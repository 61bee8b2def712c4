import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { presetNames, type PresetName } from '../../engine/runOptions.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { readState, updateState, type SealedState } from '../../storage/files/sealedState.js';
import type { UserStore } from '../../storage/state/store.js';
import type { SpendCap } from '../../ports/spend.js';
import type { ModelSpecs } from '../models/chooseModels.js';
import { sha256 } from '../../hash.js';
import { placeOf } from '../../storage/state/nightPlace.js';

/** Everything a night of the operating system does by: kept sealed in user state, so that the entry itself stays short. */
export interface InstalledSchedule {
  readonly folders: readonly string[];
  /** A time, or a cron expression. */
  readonly at: string;
  readonly models: ModelSpecs;
  readonly preset: PresetName;
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  /** What the person, and the workspace, had set in the window that installed it; absent where a command line did. */
  readonly standing?: Readonly<Record<string, unknown>> | undefined;
  readonly workspaceSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly excluded: readonly string[];
  readonly autoAdopt: readonly string[];
  readonly onBattery: 'run' | 'skip';
  readonly caps: { readonly night: SpendCap; readonly day: SpendCap; readonly month: SpendCap };
}

const words = z.array(z.string());
const layer = z.record(z.string(), z.unknown());
const limit = z.number().optional();
const cap = z.object({ calls: limit, tokens: limit, usd: limit, minutes: limit });
const spec = z
  .string()
  .optional()
  .transform((value): string | undefined => value);

const schema: z.ZodType<InstalledSchedule> = z.object({
  folders: words,
  at: z.string(),
  models: z.object({ target: spec, optimizer: spec, judge: spec }),
  preset: z.enum(presetNames),
  settings: z.array(layer),
  standing: layer.optional(),
  workspaceSettings: layer.optional(),
  excluded: words,
  autoAdopt: words,
  onBattery: z.enum(['run', 'skip']),
  caps: z.object({ night: cap, day: cap, month: cap }),
});

const entries = 'os-entries';

function stateOf(id: string): SealedState<InstalledSchedule> {
  return { format: { format: 'whetstone-os-schedule', version: 1, schema }, file: `${entries}/${id}.json` };
}

/** What a scheduled night does by. A file that this user did not write here is none: it could name any folder. */
export async function readInstalled(store: UserStore, id: string): Promise<InstalledSchedule | undefined> {
  if (!/^[0-9a-f]+$/.test(id)) return undefined;
  const reading = await readState(store, stateOf(id));
  return reading.kind === 'verified' ? reading.body : undefined;
}

/** Writes down what the nights of an entry do by. */
export async function writeInstalled(
  store: UserStore,
  id: string,
  entry: InstalledSchedule,
  signal: AbortSignal,
): Promise<void> {
  await updateState(store, stateOf(id), () => entry, signal);
}

/** Forgets an entry. */
export async function removeInstalled(store: UserStore, id: string): Promise<void> {
  await unlessMissing(unlink(path.join(store.folder, stateOf(id).file)));
}

/** Ids of everything that this user has installed. */
export async function installedIds(store: UserStore): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(path.join(store.folder, entries)))) ?? [];
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
}

/** Where what belongs to nights of the operating system lies in user state. */
export interface OsPlaces {
  readonly id: string;
  readonly folder: string;
  /** The stable copy of the command line, shared by all entries of this user. */
  readonly cli: string;
  readonly environmentFile: string;
  readonly logFile: string;
}

const idLength = 12;

/** The places for the entry of some folders. */
export function osPlaces(userState: string, folders: readonly string[]): OsPlaces {
  const id = sha256(placeOf(folders)).slice(0, idLength);
  const folder = path.join(userState, 'os-schedule');
  return {
    id,
    folder,
    cli: osCopy(userState),
    environmentFile: path.join(folder, `${id}.env`),
    logFile: path.join(folder, `${id}.log`),
  };
}

/** The stable copy of the command line; what it loads lies beside it, as in what ships. */
export function osCopy(userState: string): string {
  return path.join(userState, 'os-schedule', 'program', 'cli.js');
}
