import { randomBytes } from 'node:crypto';
import { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import * as z from 'zod';
import { FailedCall } from '../models/wrappers/failedCall.js';
import { parseJson } from '../parseJson.js';
import type { AttemptRunner, PhysicalCall } from '../ports/attemptRunner.js';
import type { Clock } from '../ports/clock.js';
import type { ModelIdentity, ModelReply, ModelRole } from '../ports/languageModel.js';
import { sendWork } from './blobs.js';
import { errorOf } from './callFailure.js';
import type { Envelopes } from './envelope.js';
import { jobId, laneName, laneOf, requestToSend, type Lane, type Result } from './job.js';
import { JobWatch, resultKeptMs, type JobEnd } from './jobWatch.js';
import { another, keyOf, prefix } from './redis.js';
import { TryNumbers } from './tryNumbers.js';
import { WorkersSeen } from './workersSeen.js';

export interface QueueSettings {
  /** A worker that has not been heard of for so long has lost its job. */
  readonly lockMs: number;
  /** How long a job may wait and run, beside what an agent may take; then it is refused. */
  readonly jobMs: number;
  /** The most jobs of a lane that wait in the queue; more wait here. */
  readonly mostWaiting: number;
  /** How long it is waited for a worker or for Redis, where there is none. */
  readonly patienceMs: number;
}

export const usualSettings: QueueSettings = {
  lockMs: 30_000,
  jobMs: 30 * 60_000,
  mostWaiting: 256,
  patienceMs: 60_000,
};

export interface QueueParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  readonly settings: QueueSettings;
  /** The address as it may be shown. */
  readonly shown: string;
}

interface LaneParts {
  readonly name: string;
  readonly queue: Queue;
  readonly events: QueueEvents;
  readonly watch: JobWatch;
  readonly connection: Redis;
  readonly ready: Promise<unknown>;
  /** Jobs that are about to be queued: with them too the queue is never longer than it may be. */
  entering: number;
}

/**
 * Makes physical calls on other machines. A job is queued once and never again by itself: where its worker died, hung or
 * lost Redis it comes back from here as a call that failed, and whoever asks again reserves anew and gets the next number.
 */
export class Coordinator implements AttemptRunner {
  readonly #parts: QueueParts;
  readonly #lanes = new Map<string, LaneParts>();
  readonly #tries: TryNumbers;
  readonly #workers: WorkersSeen;
  /** By lane: a worker that starts late need not find out what another has. */
  readonly #forms = new Map<string, unknown>();

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#tries = new TryNumbers(parts.clock, resultKeptMs * 2);
    this.#workers = new WorkersSeen(parts);
  }

  async run(call: PhysicalCall, here: Parameters<AttemptRunner['run']>[1], signal: AbortSignal): Promise<ModelReply> {
    const lane = laneOf(call);
    if (lane === undefined) return here(call.request, signal);
    const key = call.key();
    for (let skipped = 0; skipped <= mostSkipped; skipped += 1) {
      const id = jobId(call.runId, key, this.#tries.next(`${call.runId} ${key}`));
      const end = await this.#attempt({ lane, id, call }, signal);
      if (end.kind !== 'taken') return replyOf(end);
    }
    throw new FailedCall('unavailable', 'Every number of this call is taken on the queue.', unsent);
  }

  /** Whether a worker serves this model; throws where none does for a while. */
  async reach(model: ModelIdentity, role: ModelRole, signal: AbortSignal): Promise<boolean> {
    if (role === 'optimizer') return false;
    await this.#workers.waitFor({ role, model }, signal);
    return true;
  }

  async close(): Promise<void> {
    for (const { watch, events, queue, connection } of this.#lanes.values()) {
      watch.stop();
      await Promise.allSettled([events.close(), queue.close()]);
      connection.disconnect();
    }
    this.#parts.redis.disconnect();
  }

  async #attempt(asked: Asked, signal: AbortSignal): Promise<Ended> {
    const { lane, id } = asked;
    signal.throwIfAborted();
    await this.#workers.waitFor(lane, signal);
    const at = this.#lane(lane);
    const job = await this.#enter(at, asked, signal);
    if (job.kind === 'taken') return job;
    const end = await at.watch.end({ id, runId: asked.call.runId, ...job }, signal);
    const learnt = end.kind === 'result' && end.result.kind === 'failed' ? end.result.failure.form : undefined;
    if (learnt !== undefined) this.#forms.set(at.name, learnt);
    return end.kind === 'failed' && isTaken(end.why) ? { kind: 'taken' } : end;
  }

  /** Queues the job, or finds it: whoever resumes a run that was killed takes what the killed one had queued. */
  async #enter(at: LaneParts, asked: Asked, signal: AbortSignal): Promise<Entered> {
    const { clock, settings } = this.#parts;
    await at.ready;
    at.entering += 1;
    try {
      for (;;) {
        signal.throwIfAborted();
        await this.#workers.connected(signal);
        const { known, waiting } = await this.#look(at.name, asked);
        if (known !== undefined) return known;
        if (waiting + at.entering <= settings.mostWaiting) return await this.#queue(at, asked);
        await clock.sleep(roomMs, signal);
      }
    } finally {
      at.entering -= 1;
    }
  }

  async #look(name: string, { id, call }: Asked): Promise<{ known: Entered | undefined; waiting: number }> {
    const { redis, envelopes, clock } = this.#parts;
    const found = await redis
      .pipeline()
      .exists(keyOf.result(id))
      .hgetall(keyOf.job(name, id))
      .llen(keyOf.waiting(name))
      .exec();
    const [isAnswered, job, waiting] = (found ?? []).map(([, value]) => value);
    const now = clock.now();
    const answered: Entered = { kind: 'found', nonce: undefined, expiresAt: now + resultKeptMs };
    const known = Number(isAnswered) > 0 ? answered : knownJob(job, { id, runId: call.runId, now }, envelopes);
    return { known, waiting: Number(waiting) };
  }

  async #queue(at: LaneParts, { lane, id, call }: Asked): Promise<Entered> {
    const { redis, envelopes, clock, settings } = this.#parts;
    const { runId, request } = call;
    const nonce = randomBytes(16).toString('hex');
    const limitMs = request.work?.limits.timeLimitMs ?? request.timeoutMs ?? 0;
    const expiresAt = clock.now() + settings.jobMs + limitMs;
    const work = await sendWork(request.work, { redis, envelopes, runId, expiresAt });
    const form = this.#forms.get(at.name);
    const content = { version: 1, nonce, lane, request: requestToSend(request, work), form };
    const sealed = envelopes.seal({ kind: 'job', id, runId, expiresAt }, JSON.stringify(content));
    if (sealed.length > mostJobLength) throw tooLarge();
    await at.queue.add('call', { sealed }, jobOptions(id));
    return { kind: 'queued', nonce, expiresAt };
  }

  #lane(lane: Lane): LaneParts {
    const name = laneName(lane);
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const { redis, envelopes } = this.#parts;
    const queue = new Queue(name, { connection: redis, prefix, streams: { events: { maxLen: eventsKept } } });
    const connection = another(redis);
    const events = new QueueEvents(name, { connection, prefix });
    queue.on('error', () => undefined); // the connection says what is wrong with it
    events.on('error', () => undefined);
    const watch = new JobWatch({ ...this.#parts, name, queue, events, workers: this.#workers });
    const made: LaneParts = { name, queue, events, connection, watch, ready: events.waitUntilReady(), entering: 0 };
    this.#lanes.set(name, made);
    const label = { kind: 'lane', id: name, runId: '', expiresAt: forEver } as const;
    redis.hset(keyOf.lanes, name, envelopes.seal(label, JSON.stringify(lane))).catch(() => undefined); // only for show
    return made;
  }
}

interface Asked {
  readonly lane: Lane;
  readonly id: string;
  readonly call: PhysicalCall;
}

type Ended = JobEnd | { readonly kind: 'taken' };
type Entered =
  /** The number is of no use any more: that job failed before, or somebody else has laid one there. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'queued'; readonly nonce: string; readonly expiresAt: number }
  /** An earlier process of this run queued it; where it is answered nobody knows its nonce any more. */
  | { readonly kind: 'found'; readonly nonce: string | undefined; readonly expiresAt: number };

const mostSkipped = 64;
const roomMs = 100;
const eventsKept = 1_000;
const forEver = 8.64e15;

function jobOptions(id: string) {
  // One try, and no trace of a job that was answered: its result lies by itself, and expires.
  return {
    jobId: id,
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: { count: 100, age: 3_600 },
    stackTraceLimit: 0,
  };
}

/** The job of an earlier process of this run that waits or is under way; undefined where there is none. */
function knownJob(
  stored: unknown,
  at: { readonly id: string; readonly runId: string; readonly now: number },
  envelopes: Envelopes,
): Entered | undefined {
  const job = StoredJob.safeParse(stored);
  if (!job.success || job.data.data === undefined) return undefined;
  if (job.data.finishedOn !== undefined) return { kind: 'taken' };
  const data = StoredData.safeParse(parseJson(job.data.data));
  const opened = envelopes.open(data.data?.sealed, { kind: 'job', ...at });
  if (opened.kind === 'refused') return { kind: 'taken' };
  const { nonce } = Nonce.parse(parseJson(opened.content.toString('utf8')));
  return { kind: 'found', nonce, expiresAt: opened.label.expiresAt };
}

const StoredJob = z.object({ data: z.string().optional(), finishedOn: z.string().optional() });
const StoredData = z.object({ sealed: z.string() });
const Nonce = z.object({ nonce: z.string() });

/** In characters; a prompt of a million tokens has some four million. */
const mostJobLength = 16 * 1024 * 1024;

function tooLarge(): FailedCall {
  const cure = 'Run it without --queue, or shorten the task.';
  return new FailedCall('context-length', 'The call is too large for the queue.', { ...unsent, cure });
}

/** A worker that knows the number already refuses it, and has called nobody. */
function isTaken(why: string): boolean {
  return why.endsWith('replayed');
}

const unsent = { charged: false, sent: false } as const;

function replyOf(end: JobEnd): ModelReply {
  switch (end.kind) {
    case 'result':
      return answerOf(end.result);
    case 'unsent':
      throw new FailedCall('unavailable', end.why, { ...unsent });
    case 'failed':
      throw new FailedCall('unavailable', `A job on the queue came to nothing: ${end.why}.`, { charged: true });
  }
}

function answerOf(result: Result): ModelReply {
  if (result.kind === 'failed') throw errorOf(result.failure, result.worker);
  return result.reply;
}
