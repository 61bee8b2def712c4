import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import { isRunId, runFolder, runsFolder } from './runFolder.js';
import { readBounded, type SealedTextReading, type Sealing, unseal, writeSealedInside } from '../files/sealedFile.js';
import type { SkillStore } from '../state/store.js';
import { parseLine } from './readJournal.js';
import { parseJson } from '../../parseJson.js';

/** One run in a list. `newer`: a newer Whetstone wrote it. */
export type RunListing<Summary> = { readonly runId: string } & (
  | { readonly kind: 'verified'; readonly summary: Summary }
  | { readonly kind: 'made-elsewhere'; readonly summary: Summary }
  | { readonly kind: 'broken' | 'newer' | 'unfinished' }
);

/** The stored fold of a run's journal; views read these and nothing else. */
export async function writeSummary<Summary extends object & Newer>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  runId: string,
  summary: Summary,
): Promise<void> {
  const file = path.join(runFolder(store.places, runId), fileName);
  const written = sealing(store, schema, runId);
  const version = versionOf(summary);
  const sealed = { ...written, format: { ...written.format, version } };
  await writeSealedInside(store.places.workspaceState, sealed, file, summary);
}

const newest = 3;

/**
 * What version 2 brought, and version 3: an earlier version would not write it again, and lose what single tasks came to, or
 * which workers of a queue made the calls.
 */
interface Newer {
  readonly known?: unknown;
  readonly workers?: unknown;
}

function versionOf({ known, workers }: Newer): number {
  if (workers !== undefined) return newest;
  return known === undefined ? 1 : 2;
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

/** The same one after the other, for a fold: few of them are in memory at a time, however many there are. */
export async function visitRuns<Summary>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  visit: (run: RunListing<Summary>) => void,
): Promise<void> {
  const names = (await unlessMissing(readdir(runsFolder(store.places)))) ?? [];
  const runIds = names.filter(isRunId).sort().toReversed();
  for (let first = 0; first < runIds.length; first += visitedTogether) {
    const some = runIds.slice(first, first + visitedTogether);
    for (const run of await Promise.all(some.map((runId) => listing(store, schema, runId)))) visit(run);
  }
}

const visitedTogether = 32; // enough to keep the disk busy
const fileName = 'summary.json';

/** The fold of one run as found; undefined where it has none. */
export async function readSummary<Summary>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  runId: string,
): Promise<SealedTextReading<Summary> | undefined> {
  const text = await readBounded(path.join(runFolder(store.places, runId), fileName));
  return text === undefined ? undefined : unseal(sealing(store, schema, runId), text);
}

async function listing<Summary>(
  store: SkillStore,
  schema: z.ZodType<Summary>,
  runId: string,
): Promise<RunListing<Summary>> {
  const reading = await readSummary(store, schema, runId);
  if (reading === undefined) return { runId, kind: 'unfinished' };
  if (reading.kind === 'broken' || reading.kind === 'newer') return { runId, kind: reading.kind };
  return { runId, kind: reading.kind, summary: reading.body };
}

function sealing<Summary>(store: SkillStore, schema: z.ZodType<Summary>, runId: string): Sealing<Summary> {
  return { key: store.key, format: { format: 'whetstone-summary', version: newest, schema }, about: `run ${runId}` };
}

const aboutSkill = z.object({ skillKey: z.string() });
const firstLines = 10; // a run says at its start which skill it is for

/** The ids of all runs of the store's skill, finished or not, whoever made them: for deleting them, never for trust. */
export async function runsOfSkill(store: SkillStore): Promise<readonly string[]> {
  const names = (await unlessMissing(readdir(runsFolder(store.places)))) ?? [];
  const runIds = names.filter(isRunId).sort();
  const keys = await Promise.all(runIds.map((runId) => skillKeyOf(runFolder(store.places, runId))));
  return runIds.filter((_, index) => keys[index] === store.places.skillKey);
}

async function skillKeyOf(folder: string): Promise<string | undefined> {
  const summary = aboutSkill.safeParse(parseJson((await readBounded(path.join(folder, 'summary.json'))) ?? ''));
  if (summary.success) return summary.data.skillKey;
  const journal = (await readBounded(path.join(folder, 'journal.jsonl'))) ?? '';
  const events = journal.split('\n', firstLines).map((text) => aboutSkill.safeParse(parseLine(text)?.event));
  return events.find((event) => event.success)?.data?.skillKey;
}
