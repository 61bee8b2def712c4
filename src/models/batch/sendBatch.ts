import { randomBytes } from 'node:crypto';
import { isSilence, ModelError, messageOf } from '../../errors.js';
import type { BatchedCall, KeptBatch } from '../../ports/batches.js';
import type { ModelRequest } from '../../ports/languageModel.js';
import type { Reservation, SpendCaps } from '../../ports/spend.js';
import { guessInputTokens, leastInputTokens, worstUsage } from '../tokens.js';
import type { PatientLedger } from '../wrappers/patientLedger.js';
import { spendOf } from '../wrappers/withBudget.js';
import { persistently, removeFiles, takeIn, type BatchAnswer, type BatchParts } from './batchLife.js';

/** A call that waits to be sent with others. */
export interface CallToSend {
  readonly key: string;
  readonly request: ModelRequest;
}

export interface SendingParts extends BatchParts {
  readonly ledger: Pick<PatientLedger, 'reserveNow' | 'holding' | 'reopen'>;
  readonly runId: string;
  readonly caps: SpendCaps;
  /** How long a batch is waited for. */
  readonly waitMs: number;
  /** Fewer calls are not worth a batch. */
  readonly least: number;
}

/** `left`: calls that no cap has room for as long as the others may take their worst case. */
export interface SentBatch {
  readonly answers: ReadonlyMap<string, BatchAnswer>;
  readonly left: readonly CallToSend[];
  /** The server takes no batches, or not now: nobody tries again in this run. */
  readonly isRefused: boolean;
}

/**
 * Sends calls as one batch and waits for what comes of it. The worst case of every line is in the ledger, and the batch is
 * written down, before anything leaves this machine; its ids as soon as the server names them.
 */
export function sendBatch(parts: SendingParts, calls: readonly CallToSend[], signal: AbortSignal): Promise<SentBatch> {
  return parts.ledger.holding(() => sendAndWait(parts, calls, signal));
}

async function sendAndWait(parts: SendingParts, calls: readonly CallToSend[], signal: AbortSignal): Promise<SentBatch> {
  const { taken, left } = await reserved(parts, calls, signal);
  const reservations = new Map(taken.map(({ call, reservation }) => [call.key, reservation]));
  if (taken.length < parts.least) {
    await Promise.all(taken.map(({ reservation }) => reservation.release()));
    return { answers: asOrdinary(calls), left: [], isRefused: false };
  }
  const begun = await begin(parts, taken, signal);
  if (begun === undefined) {
    await Promise.all(taken.map(({ reservation }) => reservation.release()));
    return { answers: asOrdinary(calls), left: [], isRefused: true };
  }
  const of = ({ key, ticket }: BatchedCall): Reservation => reservations.get(key) ?? parts.ledger.reopen(ticket);
  return { answers: await takeIn(parts, begun, of, signal), left, isRefused: false };
}

function asOrdinary(calls: readonly CallToSend[]): SentBatch['answers'] {
  return new Map(calls.map(({ key }) => [key, { kind: 'ordinary' }]));
}

interface ReservedCall {
  readonly call: CallToSend;
  readonly reservation: Reservation;
}

/** Each line by itself, so that no cap is passed; those without room are left. */
async function reserved(
  { ledger, runId, caps, price, identity }: SendingParts,
  calls: readonly CallToSend[],
  signal: AbortSignal,
): Promise<{ readonly taken: readonly ReservedCall[]; readonly left: readonly CallToSend[] }> {
  const tried = await Promise.allSettled(
    calls.map(({ request }) => {
      const worst = spendOf(worstUsage(request), price);
      return ledger.reserveNow({ runId, role: request.role, model: identity.model, worst, caps }, signal);
    }),
  );
  const taken = calls.flatMap((call, at): readonly ReservedCall[] => {
    const each = tried[at];
    return each?.status === 'fulfilled' ? [{ call, reservation: each.value }] : [];
  });
  const broken = tried.find(({ status, ...each }) => status === 'rejected' && 'reason' in each && !isCap(each.reason));
  if (signal.aborted || broken !== undefined) {
    await Promise.all(taken.map(({ reservation }) => reservation.release()));
    signal.throwIfAborted();
    if (broken?.status === 'rejected') throw broken.reason;
  }
  return { taken, left: calls.filter((_, at) => tried[at]?.status === 'rejected') };
}

function isCap(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'cap';
}

/** From the first note of it to its id; undefined where the server does not take it. */
async function begin(
  parts: SendingParts,
  taken: readonly ReservedCall[],
  signal: AbortSignal,
): Promise<(KeptBatch & { readonly batch: string }) | undefined> {
  const { server, kept, clock, identity, runId, waitMs } = parts;
  const begunAt = clock.now();
  const first: KeptBatch = {
    name: `whetstone-${randomBytes(9).toString('hex')}.jsonl`,
    endpoint: identity.endpoint,
    model: identity.model,
    runId,
    begunAt,
    until: begunAt + waitMs,
    calls: taken.map(keptCall),
  };
  await kept.put(first);
  try {
    const text = taken.map(({ call }) => `${server.line(call.key, call.request)}\n`).join('');
    const file = await persistently(clock, signal, () => server.upload({ name: first.name, text }, signal));
    await kept.put({ ...first, file });
    const batch = await created(parts, { name: first.name, file }, signal);
    await kept.put({ ...first, file, batch });
    parts.tell({ kind: 'sent', calls: taken.length, batch, until: first.until });
    return { ...first, file, batch };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError) || (await mayBeBegun(parts, first.name, error))) throw error;
    parts.tell({ kind: 'refused', model: identity.model, why: messageOf(error) });
    await forget(parts, first.name, signal);
    return undefined;
  }
}

function keptCall({ call: { key, request }, reservation }: ReservedCall): BatchedCall {
  const { inputTokens, outputTokens } = worstUsage(request);
  const input = { least: leastInputTokens(request), guess: guessInputTokens(request) };
  return { key, role: request.role, ticket: reservation.ticket, worst: { inputTokens, outputTokens }, ...input };
}

/** A connection that breaks after the server has taken it up must not make a second batch of the same file. */
async function created(
  { server, clock }: SendingParts,
  { name, file }: { readonly name: string; readonly file: string },
  signal: AbortSignal,
): Promise<string> {
  let isFirst = true;
  return persistently(clock, signal, async () => {
    const before = isFirst ? {} : await server.find(name, signal);
    isFirst = false;
    return before.batch ?? server.create(file, signal);
  });
}

/** Where the server fell silent after it had the file, nobody knows: the next run looks what became of it. */
async function mayBeBegun({ kept }: SendingParts, name: string, { kind }: ModelError): Promise<boolean> {
  if (!isSilence(kind)) return false;
  return (await kept.all()).some((each) => each.name === name && each.file !== undefined);
}

async function forget({ server, kept }: SendingParts, name: string, signal: AbortSignal): Promise<void> {
  const mine = (await kept.all()).find((each) => each.name === name);
  await kept.remove(name);
  await removeFiles(server, [mine?.file ?? ''], signal);
}
