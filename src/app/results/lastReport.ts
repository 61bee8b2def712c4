import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { runFolder } from '../../storage/runs/runFolder.js';
import type { OpenSkill } from '../openSkill.js';
import { runsOf } from './overview.js';

/** The newest `report.md` that a run of this skill left, or that of the run that is named. */
export async function lastReport(skill: OpenSkill, wanted: string | undefined): Promise<string | undefined> {
  const runs = (await runsOf(skill)).filter(({ runId }) => wanted === undefined || runId === wanted);
  for (const { runId } of runs) {
    const text = await unlessMissing(readFile(path.join(runFolder(skill.places, runId), 'report.md'), 'utf8'));
    if (text !== undefined) return text;
  }
  return undefined;
}
