import path from 'node:path';
import { RunSummarySchema } from '../engine/runSummary.js';
import { messageOf } from '../errors.js';
import { readProposal } from '../storage/proposals.js';
import { pruneDaily, pruneRuns, sweepLeftovers } from '../storage/retention.js';
import type { UserStore } from '../storage/store.js';
import { listRuns } from '../storage/summaries.js';
import type { OpenSkill } from './openSkill.js';
import type { World } from './world.js';

/** A draft lives for milliseconds; one that is this old was left by a process that was killed. */
const draftMs = 10 * 60_000;

/** Before a run: clears away the drafts that a killed process left beside what it was writing. Never keeps a run from starting. */
export async function sweepBefore({ store, folder }: OpenSkill): Promise<void> {
  const olderThan = store.clock.now() - draftMs;
  await unlessItFails(undefined, () => sweepLeftovers(store.places.workspaceState, olderThan));
  await unlessItFails(undefined, () => sweepLeftovers(path.join(folder, 'evals'), olderThan));
}

/** Beside a run, under its lock: lets old runs of the skill go, and what else has had its time. Never fails the run. */
export async function tidyBeside(world: World, { store, name }: OpenSkill, signal: AbortSignal): Promise<void> {
  await unlessItFails(world, async () => {
    const removed = await pruneRuns(store, () => runsInUse(store));
    if (removed > 0) world.tell(`${name}: ${removed} old ${removed === 1 ? 'run was' : 'runs were'} removed.`);
  });
  await tidyUserState(world, store, signal);
}

/** The same for what belongs to no skill, also where a night trained nothing. */
export async function tidyUserState(world: World, store: UserStore, signal: AbortSignal): Promise<void> {
  await unlessItFails(world, () => pruneDaily(store, signal));
}

/** The runs whose proposal still waits: their report is what the person decides by. */
async function runsInUse(store: OpenSkill['store']): Promise<ReadonlySet<string>> {
  const reading = await readProposal(store);
  if (reading.kind !== 'verified') return new Set();
  const listed = await listRuns(store, RunSummarySchema);
  return new Set(
    listed.flatMap((run) =>
      run.kind === 'verified' && run.summary.proposalId === reading.proposal.id ? [run.runId] : [],
    ),
  );
}

/** Order is worth a sentence, not a night. */
async function unlessItFails(world: World | undefined, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    world?.tell(`What is old could not be cleared away: ${messageOf(error)}`);
  }
}
