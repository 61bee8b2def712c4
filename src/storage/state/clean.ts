import { rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import { backupsFolder } from '../adoption/backups.js';
import { removeDecisions } from '../proposals/decisions.js';
import { unlessMissing } from '../files/fileErrors.js';
import { refuseOutside } from '../files/insideFolder.js';
import { forgetSkill } from './knownSkills.js';
import { withLock } from '../files/lock.js';
import { namedBackups } from '../adoption/namedBackups.js';
import { removeProposal } from '../proposals/proposals.js';
import { receiptsFolder } from '../adoption/receipts.js';
import { recoverHeld } from '../adoption/recover.js';
import { runFolder, runsFolder } from '../runs/runFolder.js';
import { runsOfSkill } from '../runs/runsOfSkill.js';
import { runLock, withFileLocks } from './skillLocks.js';
import { skillRecordFolders } from './skillRecords.js';
import type { SkillStore } from './store.js';

/**
 * Deletes everything that is kept about a skill, in both stores: runs, proposal, decisions, receipts with the backups
 * that no other skill needs, budgets, archives. The skill file itself is not touched. Throws `busy` while a run goes on.
 */
export async function cleanSkill(store: SkillStore, signal: AbortSignal): Promise<{ readonly runs: number }> {
  const { skillPath } = store.places;
  return withLock(runLock(store, 'deleting its data'), 0, signal, () =>
    withFileLocks(store, { paths: [skillPath], what: 'deleting its data' }, signal, async () => {
      await recoverHeld(store, store.places.skillId);
      const runs = await removeRuns(store);
      await removeProposal(store);
      await removeDecisions(store);
      await removeReceipts(store);
      for (const folder of skillRecordFolders) await removeFile(store, folder);
      await forgetSkill(store.folder, skillPath);
      return { runs };
    }),
  );
}

async function removeRuns(store: SkillStore): Promise<number> {
  const runIds = await runsOfSkill(store);
  if (runIds.length === 0) return 0;
  await refuseOutside(store.places.workspaceState, runsFolder(store.places));
  for (const runId of runIds) await rm(runFolder(store.places, runId), { recursive: true, force: true });
  return runIds.length;
}

async function removeReceipts(store: SkillStore): Promise<void> {
  const { skillId } = store.places;
  const own = (await namedBackups(store, skillId)) ?? new Set<string>();
  await rm(path.join(receiptsFolder(store), skillId), { recursive: true, force: true });
  const needed = await namedBackups(store);
  if (needed === undefined) return;
  for (const hash of own) {
    if (!needed.has(hash)) await unlessMissing(unlink(path.join(backupsFolder(store), hash.slice(0, 2), hash)));
  }
}

async function removeFile(store: SkillStore, folder: string): Promise<void> {
  await unlessMissing(unlink(path.join(store.folder, folder, `${store.places.skillId}.json`)));
}
