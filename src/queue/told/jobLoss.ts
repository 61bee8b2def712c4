import type { Redis } from 'ioredis';
import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import type { Envelopes, Label } from '../envelope.js';
import { refusals, type QueuedEnvironment, type Refusal } from '../job.js';
import { keyOf } from '../redis.js';

/** Why a job came to nothing, as far as somebody who was given the secret vouches for it. */
export interface JobLoss {
  /** Undefined where nobody who has the secret says that they had it. */
  readonly worker: string | undefined;
  readonly why: string;
  /** False where only Redis says it: then `why` tells that, and none of its words. What BullMQ says always is ours. */
  readonly isVouched: boolean;
  /** Set where the worker says that it refused the job, and nobody says to have taken it: nothing was asked then. */
  readonly refused?: Refusal | undefined;
}

/** What a worker says of a job that it took, or gave back: signed, for whoever has Redis could write a name and a reason. */
interface WorkerWord {
  readonly worker: string;
  readonly why?: string | undefined;
  /** Of a job that it had not begun before. */
  readonly refused?: Refusal | undefined;
}

const WorkerWord = z.object({
  worker: z.string(),
  why: z.string().optional(),
  refused: z.enum(refusals).optional().catch(undefined), // a newer worker may have other reasons
});

/** In an envelope, to be laid where the job's claim or its loss is looked for. */
export function sealTold(
  envelopes: Envelopes,
  { kind, id, expiresAt }: Pick<Label, 'id' | 'expiresAt'> & { readonly kind: 'claim' | 'loss' },
  told: WorkerWord,
): string {
  return envelopes.seal({ kind, id, runId: '', expiresAt }, JSON.stringify(told));
}

/** Reads of many jobs who had them and what they say of it; `failedReason` is what Redis holds, which anybody may have written. */
export async function lossesOf(
  redis: Redis,
  envelopes: Envelopes,
  jobs: readonly { readonly id: string; readonly failedReason: string }[],
  now: number,
): Promise<readonly JobLoss[]> {
  const pipeline = redis.pipeline();
  for (const { id } of jobs) pipeline.get(keyOf.claim(id)).get(keyOf.loss(id));
  const found = (await pipeline.exec()) ?? [];
  return jobs.map(({ id, failedReason }, index) => {
    const claim = readTold(found[index * 2]?.[1], { kind: 'claim', id, now }, envelopes);
    const loss = readTold(found[index * 2 + 1]?.[1], { kind: 'loss', id, now }, envelopes);
    if (loss?.why !== undefined) return { ...loss, why: loss.why, isVouched: true, refused: refusedBy(loss, claim) };
    if (failedReason === stalled) return { worker: claim?.worker, why: unheard, isVouched: true };
    return { worker: claim?.worker, why: notSigned, isVouched: false };
  });
}

/** Whoever refuses a job says nothing of another worker that took it. */
function refusedBy({ worker, refused }: WorkerWord, claim: WorkerWord | undefined): Refusal | undefined {
  return claim === undefined || claim.worker === worker ? refused : undefined;
}

function readTold(
  sealed: unknown,
  at: { readonly kind: 'claim' | 'loss'; readonly id: string; readonly now: number },
  envelopes: Envelopes,
): WorkerWord | undefined {
  const opened = envelopes.open(sealed, at);
  const read = opened.kind === 'opened' ? WorkerWord.safeParse(parseJson(opened.content.toString('utf8'))) : undefined;
  return read?.success === true ? read.data : undefined;
}

/** What BullMQ writes of a job whose worker was not heard of; the worker that it names has only found that out. */
const stalled = 'job stalled more than allowable limit';
/** Whoever finds it out first, BullMQ or the coordinator. */
export const unheard = 'it was not heard of any more while it worked on the job';
const notSigned = 'the reason is not signed, and is not shown';

/** The same with what becomes of the job, for whoever looks at the queue. */
export function withWhatFollows({ why, worker }: JobLoss, environment: QueuedEnvironment): string {
  if (why !== unheard || worker === undefined) return why;
  return environment === 'program'
    ? 'It was not heard of any more while it worked on the job; the program is run again.'
    : 'It was not heard of any more while it worked on the job; the call was booked at its worst case and is asked again.';
}

export function refusedAs(why: Refusal): string {
  return `refused as ${why}`;
}
