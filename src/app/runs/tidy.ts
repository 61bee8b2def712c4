import path from 'node:path';
import { RunSummarySchema } from '../../engine/journal/runSummary.js';
import { messageOf } from '../../errors.js';
import { readProposal } from '../../storage/proposals/proposals.js';
import { pruneDaily, pruneRuns, sweepLeftovers } from '../../storage/state/retention.js';
import type { UserStore } from '../../storage/state/store.js';
import { listRuns } from '../../storage/runs/summaries.js';
import { cleanStores } from './cleanStores.js';
import type { OpenSkill } from '../openSkill.js';
import type { World } from '../world.js';

/** A draft lives for milliseconds; one that is this old was left by a process that was killed. */
const draftMs = 10 * 60_000;

/** Before a run: clears away the drafts that a killed process left beside what it was writing. Never keeps a run from starting. */
export async function sweepBefore({ store, folder }: OpenSkill): Promise<void> {
  const olderThan = store.clock.now() - draftMs;
  await unlessItFails(nobody, () => sweepLeftovers(store.places.workspaceState, olderThan));
  await unlessItFails(nobody, () => sweepLeftovers(path.join(folder, 'evals'), olderThan));
}

/** Before a run, under its lock: takes out what earlier versions stored in clear. Never keeps a run from starting. */
export async function cleanBefore({ store }: OpenSkill, world: World, signal: AbortSignal): Promise<void> {
  try {
    await cleanStores(store, signal);
  } catch (error) {
    signal.throwIfAborted();
    world.tell(`Secrets that an earlier version stored could not be taken out: ${messageOf(error)}`);
  }
}

/** Beside a run, under its lock: lets old runs of the skill go, and what else has had its time. Never fails the run. */
export async function tidyBeside(
  runId: string,
  { world, skill: { store, name } }: { readonly world: World; readonly skill: OpenSkill },
  signal: AbortSignal,
): Promise<void> {
  await unlessItFails(world.tell, async () => {
    const removed = await pruneRuns(store, () => runsInUse(store, runId));
    if (removed > 0) world.tell(`${name}: ${removed} old ${removed === 1 ? 'run was' : 'runs were'} removed.`);
  });
  await tidyUserState(world, store, signal);
}

/** The same for what belongs to no skill, also where a night trained nothing. */
export async function tidyUserState(world: World, store: UserStore, signal: AbortSignal): Promise<void> {
  const tell = (note: string): void => (signal.aborted ? undefined : world.tell(note));
  await unlessItFails(tell, () => pruneDaily(store, signal));
}

/** The run at work, which may have begun long ago, and those whose proposal waits: by their report the person decides. */
async function runsInUse(store: OpenSkill['store'], atWork: string): Promise<ReadonlySet<string>> {
  const reading = await readProposal(store);
  if (reading.kind !== 'verified') return new Set([atWork]);
  const listed = await listRuns(store, RunSummarySchema);
  const waiting = listed.flatMap((run) =>
    run.kind === 'verified' && run.summary.proposalId === reading.proposal.id ? [run.runId] : [],
  );
  return new Set([atWork, ...waiting]);
}

/** Order is worth a sentence, not a night. */
async function unlessItFails(tell: (note: string) => void, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    tell(`What is old could not be cleared away: ${messageOf(error)}`);
  }
}

function nobody(): void {
  return undefined;
}
