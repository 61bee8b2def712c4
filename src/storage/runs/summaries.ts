import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { isRunId, runFolder, runsFolder } from './runFolder.js';
import { readBounded, readSealed, type SealedReading, type Sealing, unseal, writeSealed } from '../files/sealedFile.js';
import type { SkillStore } from '../state/store.js';

/** One run in a list. `newer`: a newer Whetstone wrote it. */
export type RunListing<Summary> = { readonly runId: string } & (
  | { readonly kind: 'verified'; readonly summary: Summary }
  | { readonly kind: 'made-elsewhere'; readonly summary: Summary }
  | { readonly kind: 'broken' | 'newer' | 'unfinished' }
);

/** The stored fold of a run's journal; views read these and nothing else. */
export async function writeSummary<Summary extends object>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  runId: string,
  summary: Summary,
): Promise<void> {
  const folder = runFolder(store.places, runId);
  await makeFolderInside(store.places.workspaceState, folder);
  await writeSealed(sealing(store, schema, runId), path.join(folder, fileName), summary);
}

/** One run's summary. Throws `store-newer` where a newer Whetstone wrote it. */
export async function readSummary<Summary>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  runId: string,
): Promise<SealedReading<Summary>> {
  return readSealed(sealing(store, schema, runId), path.join(runFolder(store.places, runId), fileName));
}

/** Every run of the workspace, newest first. One that cannot be read is listed as such and hides no other. */
export async function listRuns<Summary>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
): Promise<readonly RunListing<Summary>[]> {
  const names = (await unlessMissing(readdir(runsFolder(store.places)))) ?? [];
  const runIds = names.filter(isRunId).sort().toReversed();
  return Promise.all(runIds.map((runId) => listing(store, schema, runId)));
}

const fileName = 'summary.json';

async function listing<Summary>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  runId: string,
): Promise<RunListing<Summary>> {
  const text = await readBounded(path.join(runFolder(store.places, runId), fileName));
  if (text === undefined) return { runId, kind: 'unfinished' };
  const reading = unseal(sealing(store, schema, runId), text);
  if (reading.kind === 'broken' || reading.kind === 'newer') return { runId, kind: reading.kind };
  return { runId, kind: reading.kind, summary: reading.body };
}

function sealing<Summary>(store: SkillStore, schema: z.ZodType<Summary>, runId: string): Sealing<Summary> {
  return { key: store.key, format: { format: 'whetstone-summary', version: 1, schema }, about: `run ${runId}` };
}
