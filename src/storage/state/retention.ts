import { readdir, rm, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { backupsFolder, pruneFolder, textsFolder } from '../files/contentStore.js';
import { temporaryEnding } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { removeInside } from '../files/writeInside.js';
import { namedBackups, receiptsFolder } from '../adoption/receipts.js';
import { repliesFolder } from '../runs/replies.js';
import { isRunId, runFolder, runsFolder, startOfRun } from '../runs/runFolder.js';
import { runsOfSkill } from '../runs/summaries.js';
import { readState, type SealedState, updateState } from '../files/sealedState.js';
import type { SkillStore, UserStore } from './store.js';
import { removeDecisions } from '../proposals/decisions.js';
import { forgetSkill } from './knownSkills.js';
import { withLock } from '../files/lock.js';
import { removeProposal, removePutAway } from '../proposals/proposals.js';
import { recoverHeld } from '../adoption/recover.js';
import { measuredNames, removePrompts } from '../handoff/waitingPrompts.js';
import { runLock, withFileLocks } from './skillLocks.js';
import { certifiedTexts } from './certifiedTexts.js';
import { forgetFolders } from '../harvest/allowedSessions.js';
import { skillStateFolders } from './skillState.js';

const dayMs = 24 * 60 * 60 * 1000;
/** Answers of models may hold what the person works on: they are not kept for longer than they are useful. */
const keptDays = 30;
/** What a run left is small and tells how a skill came along; the answers in it are gone long before. */
const runDays = 90;
/** A skill that is seldom trained keeps its story. */
const keptRuns = 20;

/** Where in user state the counts of what agents used lie. */
export const usageFolder = 'usage';

/** How many files of each kind went. */
interface PruneCounts {
  readonly replies: number;
  readonly texts: number;
  readonly backups: number;
  readonly leftovers: number;
}

/** Removes what has had its time; what an abort leaves goes the next time. A backup that a receipt names never goes. */
export async function prune(store: UserStore, signal?: AbortSignal): Promise<PruneCounts> {
  const now = store.clock.now();
  const olderThan = now - keptDays * dayMs;
  const needed = await namedBackups(store);
  return {
    leftovers: await sweepLeftovers(store.folder, now - dayMs, signal),
    replies: await pruneFolder(repliesFolder(store), olderThan, { signal }),
    texts: await pruneFolder(textsFolder(store), olderThan, { signal }),
    backups:
      needed === undefined
        ? 0
        : await pruneFolder(backupsFolder(store), olderThan, { keep: (name) => needed.has(name), signal }),
  };
}

const lastPruning: SealedState<{ readonly at: number }> = {
  format: { format: 'whetstone-pruning', version: 1, schema: z.object({ at: z.number() }) },
  file: 'pruning.json',
};

/** The same at most once a day: looking at thousands of files after every run would be felt. */
export async function pruneDaily(store: UserStore, signal: AbortSignal): Promise<PruneCounts | undefined> {
  const now = store.clock.now();
  const last = await readState(store, lastPruning);
  // The distance counts both ways: a clock that was set back must not stop it for good.
  if (last.kind === 'verified' && Math.abs(now - last.body.at) < dayMs) return undefined;
  await updateState(store, lastPruning, () => ({ at: now }), signal);
  return prune(store, signal);
}

/**
 * Removes the runs of a skill that began more than 90 days ago, except its newest 20 and those that `inUse` names,
 * which is asked only where some are that old. Gives how many went. The caller holds the skill's run lock.
 */
export async function pruneRuns(store: SkillStore, inUse: () => Promise<ReadonlySet<string>>): Promise<number> {
  const olderThan = store.clock.now() - runDays * dayMs;
  const isOld = (name: string): boolean => isRunId(name) && startOfRun(name) < olderThan;
  const folder = runsFolder(store.places);
  if (!((await unlessMissing(readdir(folder))) ?? []).some(isOld)) return 0;
  const needed = await inUse();
  const old = (await runsOfSkill(store)).slice(0, -keptRuns).filter((runId) => isOld(runId) && !needed.has(runId));
  for (const runId of old) await removeRun(store, runId);
  return old.length;
}

/** Removes drafts that a kill left behind: files with our ending that were last written before `olderThan`. */
export function sweepLeftovers(folder: string, olderThan: number, signal?: AbortSignal): Promise<number> {
  return pruneFolder(folder, olderThan, { keep: (name) => !name.endsWith(temporaryEnding), signal });
}

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
      await removePutAway(store);
      await removeDecisions(store);
      await removeReceipts(store);
      for (const folder of skillStateFolders) await removeFile(store, folder);
      // It is gathered from all skills, and made anew without this one.
      await unlessMissing(unlink(path.join(store.folder, certifiedTexts.file)));
      // So are the counts of what agents used.
      await rm(path.join(store.folder, usageFolder), { recursive: true, force: true });
      await forgetFolders(store, skillPath, signal);
      await forgetSkill(store.folder, skillPath);
      return { runs };
    }),
  );
}

async function removeRuns(store: SkillStore): Promise<number> {
  const runIds = await runsOfSkill(store);
  for (const runId of runIds) await removeRun(store, runId);
  const { skillKey } = store.places;
  for (const name of measuredNames(skillKey)) await removePrompts(store, name);
  return runIds.length;
}

/** With the prompts that it waits for. */
async function removeRun(store: SkillStore, runId: string): Promise<void> {
  const { places } = store;
  await removeInside(places.workspaceState, runFolder(places, runId));
  await removePrompts(store, runId);
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
