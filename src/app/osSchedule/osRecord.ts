import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { presetNames } from '../../engine/runOptions.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { readRecord, updateRecord, type SealedRecord } from '../../storage/files/sealedRecord.js';
import type { UserStore } from '../../storage/state/store.js';
import type { InstalledSchedule } from './osNightly.js';

const words = z.array(z.string());
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
  settings: z.array(z.record(z.string(), z.unknown())),
  excluded: words,
  autoAdopt: words,
  onBattery: z.enum(['run', 'skip']),
  caps: z.object({ night: cap, day: cap, month: cap }),
});

const folder = 'os-entries';

function recordOf(id: string): SealedRecord<InstalledSchedule> {
  return { format: { format: 'whetstone-os-schedule', version: 1, schema }, file: `${folder}/${id}.json` };
}

/** What a scheduled night does by. A file that this user did not write here is none: it could name any folder. */
export async function readInstalled(store: UserStore, id: string): Promise<InstalledSchedule | undefined> {
  if (!/^[0-9a-f]+$/.test(id)) return undefined;
  const reading = await readRecord(store, recordOf(id));
  return reading.kind === 'verified' ? reading.body : undefined;
}

export async function writeInstalled(
  store: UserStore,
  id: string,
  entry: InstalledSchedule,
  signal: AbortSignal,
): Promise<void> {
  await updateRecord(store, recordOf(id), () => entry, signal);
}

export async function removeInstalled(store: UserStore, id: string): Promise<void> {
  await unlessMissing(unlink(path.join(store.folder, recordOf(id).file)));
}

/** Ids of everything that this user has installed. */
export async function installedIds(store: UserStore): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(path.join(store.folder, folder)))) ?? [];
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
}
