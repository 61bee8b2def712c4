import type { BatchedCall, KeptBatch } from '../../ports/batches.js';
import type { Reservation } from '../../ports/spend.js';
import { persistently, putAway, removeFiles, seen, takeIn, type BatchParts } from './batchLife.js';

/**
 * Goes on with a batch that an earlier process was cut off from. Where the server never began it, its reservations are
 * given back. One that has not ended is waited for only where somebody `waits`; after its time it is cancelled anyway.
 * False where it goes on running: to ask for the same now would be paid twice.
 */
export async function takeUpBatch(
  parts: BatchParts,
  kept: KeptBatch,
  { waits }: { readonly waits: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const { server, clock, ledger, tell } = parts;
  if (kept.readFiles !== undefined) {
    await putAway(parts, { ...kept, readFiles: kept.readFiles }, signal);
    return true;
  }
  const reopened = ({ ticket }: BatchedCall): Reservation => ledger.reopen(ticket);
  const known = kept.batch === undefined ? await lookedFor(parts, kept, signal) : kept;
  const { batch } = known;
  if (batch === undefined) {
    for (const call of kept.calls) await reopened(call).release();
    await parts.kept.remove(kept.name);
    await removeFiles(server, [known.file ?? ''], signal);
    return true;
  }
  if (!waits && clock.now() < kept.until && (await seen(server, batch, signal)).status === 'running') return false;
  tell({ kind: 'taken-up', calls: kept.calls.length, begunAt: kept.begunAt });
  await takeIn(parts, { ...known, batch }, reopened, signal);
  return true;
}

/** The process ended between asking the server and hearing its answer. */
async function lookedFor({ server, clock }: BatchParts, kept: KeptBatch, signal: AbortSignal): Promise<KeptBatch> {
  return { ...kept, ...(await persistently(clock, signal, () => server.find(kept.name, signal))) };
}
