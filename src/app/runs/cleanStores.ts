import * as z from 'zod';
import { proposalFile, readProposal, writeProposal } from '../../storage/proposals/proposals.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { cleanRun } from '../../storage/runs/cleanRun.js';
import { dropRepliesWithSecrets } from '../../storage/runs/replies.js';
import { runsOfSkill } from '../../storage/runs/summaries.js';
import { readState, updateState, type SealedState } from '../../storage/files/sealedState.js';
import { withFileLocks } from '../../storage/state/skillLocks.js';
import { skillState } from '../../storage/state/skillState.js';
import type { SkillStore } from '../../storage/state/store.js';
import { taskArchiveOf } from '../../storage/state/taskArchive.js';

/** Raised when redaction learns to find more: every store is gone through once more then. */
const redactionVersion = 1;

const Cleaned = z.object({ redaction: z.number() });
const cleanedUserState: SealedState<z.output<typeof Cleaned>> = {
  format: { format: 'whetstone-redaction', version: 1, schema: Cleaned },
  file: 'redaction.json',
};

/**
 * Takes the secrets out of what earlier versions stored, once: out of this user's replies, and out of what is kept about
 * the store's skill. It is noted as done at the end, so that what a kill leaves is done the next time. Whoever calls holds
 * the skill's run lock, and no run of it goes on.
 */
export async function cleanStores(store: SkillStore, signal: AbortSignal): Promise<void> {
  const user = await readState(store, cleanedUserState);
  if (!isDone(user)) {
    await dropRepliesWithSecrets(store, signal);
    await updateState(store, cleanedUserState, () => ({ redaction: redactionVersion }), signal);
  }
  const done = skillState(store, 'redactions', Cleaned);
  if (isDone(await done.read())) return;
  await taskArchiveOf(store).clean(signal);
  await rejectedEditsOf(store).clean(signal);
  await cleanProposal(store, signal);
  for (const runId of await runsOfSkill(store)) {
    signal.throwIfAborted();
    await cleanRun(store, runId);
  }
  await done.update(() => ({ redaction: redactionVersion }), signal);
}

function isDone(reading: Awaited<ReturnType<typeof readState<z.output<typeof Cleaned>>>>): boolean {
  return reading.kind === 'verified' && reading.body.redaction >= redactionVersion;
}

/** Under the lock that adopting takes: one that is put away in between does not come back. */
async function cleanProposal(store: SkillStore, signal: AbortSignal): Promise<void> {
  const paths = [store.places.skillPath, proposalFile(store)];
  await withFileLocks(store, { paths, what: 'taking secrets out' }, signal, async () => {
    const reading = await readProposal(store);
    if (reading.kind === 'verified') await writeProposal(store, reading.proposal);
  });
}
