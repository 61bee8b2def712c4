import { isSilence, ModelError } from '../../errors.js';
import type {
  BatchedCall,
  BatchNews,
  BatchServer,
  BatchState,
  BatchStore,
  KeptBatch,
  LineOutcome,
} from '../../ports/batches.js';
import type { Clock } from '../../ports/clock.js';
import type { ModelIdentity, ModelReply, ModelUsage } from '../../ports/languageModel.js';
import type { Reservation, SpendLedger } from '../../ports/spend.js';
import type { ReplyStore } from '../../ports/stores.js';
import type { Price } from '../prices.js';
import { FailedCall, usageOfFailure } from '../wrappers/failedCall.js';
import { spendOf } from '../wrappers/withBudget.js';
import type { CallEntry } from '../wrappers/withJournal.js';

/** What a batch needs from the moment that the server has it. */
export interface BatchParts {
  readonly server: BatchServer;
  readonly identity: ModelIdentity;
  readonly kept: BatchStore;
  /** Where replies are looked for before anybody is asked. */
  readonly replies: ReplyStore;
  readonly ledger: Pick<SpendLedger, 'reopen'>;
  /** Of a token in a batch. */
  readonly price: Price | undefined;
  readonly clock: Clock;
  /** When the minutes of the run are used up: the batch goes on without it. */
  readonly endsAt?: number | undefined;
  readonly record: (entry: CallEntry) => void;
  readonly tell: (news: BatchNews) => void;
}

/** What becomes of a call: its reply, or it is made as any other. */
export type BatchAnswer = { readonly kind: 'reply'; readonly reply: ModelReply } | { readonly kind: 'ordinary' };

/**
 * Waits for a batch that the server has, and takes in all that came of it: replies are stored before they are used, each
 * line is settled at what it used, and only then is the batch forgotten here and its files removed there. Cut off at any
 * point it can be done again: nothing is paid for or counted twice.
 */
export async function takeIn(
  parts: BatchParts,
  batch: KeptBatch & { readonly batch: string },
  ledger: (call: BatchedCall) => Reservation,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, BatchAnswer>> {
  const state = await ended(parts, batch, signal);
  const outcomes = await readAll(parts, batch, { files: state.files, signal });
  const answers = new Map<string, BatchAnswer>();
  const counts = { answered: 0, failed: 0, left: 0 };
  for (const call of batch.calls) {
    const outcome = outcomes.get(call.key) ?? notThere(state);
    answers.set(call.key, await settled(parts, call, { outcome, reservation: ledger(call) }));
    counts[outcome.kind === 'answered' ? 'answered' : outcome.kind === 'failed' ? 'failed' : 'left'] += 1;
  }
  parts.tell({ kind: 'ended', ...counts, why: state.why });
  await putAway(parts, { ...batch, readFiles: [batch.file ?? '', ...state.files] }, signal);
  return answers;
}

/** A batch that has ended, or of which nothing more is to be learnt. */
type BatchEnd = Omit<BatchState, 'status'> & { readonly status: Exclude<BatchState['status'], 'running'> | 'lost' };

/** Asks seldomer and seldomer. Where its time is over it is cancelled, and its end waited for. */
async function ended(
  parts: BatchParts,
  { batch, until, calls }: KeptBatch & { readonly batch: string },
  signal: AbortSignal,
): Promise<BatchEnd> {
  const { server, clock, endsAt = Infinity, tell } = parts;
  let isCancelled = false;
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const state = await seen(server, batch, signal);
    if (state.status !== 'running') return { ...state, status: state.status };
    const now = clock.now();
    if (now >= endsAt) {
      tell({ kind: 'left-alone', calls: calls.length });
      throw new ModelError('cap', 'The minutes of the run are used up, and its batch has not ended.', {
        cure: 'The next night takes the batch up where it stands; raise caps.minutes to wait for it.',
      });
    }
    if (now >= until && !isCancelled) {
      tell({ kind: 'cancelled', calls: calls.length });
      await server.cancel(batch, signal).catch(unlessAborted(signal)); // it may have ended a moment ago
      isCancelled = true;
    }
    if (now >= until + longestCancelling) return { status: 'lost', files: [], why: undefined };
    await clock.sleep(Math.min(pause, Math.max(1, Math.min(endsAt, isCancelled ? Infinity : until) - now)), signal);
  }
}

const firstPause = 2_000;
const longestPause = 60_000;
const longestCancelling = 30 * 60_000; // the server says that it takes ten minutes at most

/** A server that does not answer now is asked again; one that no longer knows the batch will not answer better later. */
export async function seen(server: BatchServer, batch: string, signal: AbortSignal): Promise<BatchState | BatchEnd> {
  try {
    return await server.look(batch, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    if (isSilence(error.kind)) return { status: 'running', files: [], why: undefined };
    if (error.kind === 'endpoint' || error.kind === 'model-not-found')
      return { status: 'lost', files: [], why: error.message };
    throw error;
  }
}

async function readAll(
  { server, clock }: BatchParts,
  { calls }: KeptBatch,
  { files, signal }: { readonly files: readonly string[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, LineOutcome>> {
  const inputs = new Map(calls.map((call) => [call.key, call]));
  const all = new Map<string, LineOutcome>();
  for (const file of files) {
    const lines = await persistently(clock, signal, () => server.read(file, (name) => inputs.get(name), signal));
    for (const [name, outcome] of lines) all.set(name, outcome);
  }
  return all;
}

/** What a batch ran out before is free; what it says it has done and does not show may be charged. */
function notThere({ status }: BatchEnd): LineOutcome {
  if (status === 'expired' || status === 'cancelled' || status === 'failed') return { kind: 'untouched' };
  return { kind: 'failed', error: new FailedCall('unavailable', 'A line of a batch is missing.', { charged: true }) };
}

async function settled(
  { replies, price, record, identity: model }: BatchParts,
  { key, role, worst }: BatchedCall,
  { outcome, reservation }: { readonly outcome: LineOutcome; readonly reservation: Reservation },
): Promise<BatchAnswer> {
  const shared = { role, model, key, ms: 0 };
  const pay = (usage: ModelUsage): Promise<void> =>
    reservation.settle({ ...spendOf(usage, price), exact: usage.exact });
  switch (outcome.kind) {
    case 'answered': {
      const { reply } = outcome;
      if (reply.text !== '' || reply.toolCalls.length > 0) await replies.put(key, reply);
      await pay(reply.usage);
      record({ ...shared, outcome: { kind: 'answered', usage: reply.usage } });
      return { kind: 'reply', reply };
    }
    case 'failed': {
      const { error } = outcome;
      const usage = usageOfFailure(error, { ...worst, exact: false });
      await (usage === undefined ? reservation.release() : pay(usage));
      record({ ...shared, outcome: { kind: 'failed', error: error.kind, usage } });
      return { kind: 'ordinary' };
    }
    case 'untouched':
      await reservation.release();
      return { kind: 'ordinary' };
  }
}

/** All of it is stored here: what lies at the server is removed, and the batch forgotten when that is done. */
export async function putAway(
  { server, kept }: Pick<BatchParts, 'server' | 'kept'>,
  batch: KeptBatch & { readonly readFiles: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  await kept.put(batch);
  await removeFiles(server, batch.readFiles, signal);
  await kept.remove(batch.name);
}

/** Nobody needs them any more. What the server will not remove it removes in its own time. */
export async function removeFiles(server: BatchServer, files: readonly string[], signal: AbortSignal): Promise<void> {
  const named = files.filter((file) => file !== '');
  await Promise.all(named.map((file) => server.remove(file, signal).catch(unlessAborted(signal))));
}

/** Once more where the server only stumbled. */
export async function persistently<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !isSilence(error.kind) || tries >= mostTries) throw error;
      await clock.sleep(1_000 * 4 ** tries, signal);
    }
  }
}

const mostTries = 4;

function unlessAborted(signal: AbortSignal): () => void {
  return () => signal.throwIfAborted();
}
