import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import { parseLine } from './journalChain.js';
import { parseJson } from '../../parseJson.js';
import { isRunId, runFolder, runsFolder } from './runFolder.js';
import { readBounded } from '../files/sealedFile.js';
import type { SkillStore } from '../state/store.js';

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
