import { setMaxListeners } from 'node:events';
import type { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import * as z from 'zod';
import type { Clock } from '../ports/clock.js';
import type { Envelopes } from './envelope.js';
import { readResult, type Refusal, type Result } from './job.js';
import { lossesOf, unheard } from './told/jobLoss.js';
import { keyOf } from './redis.js';
import type { RedisPulse } from './redisPulse.js';
import type { WorkersSeen } from './workersSeen.js';

/** How a job ended. */
export type JobEnd =
  | { readonly kind: 'result'; readonly result: Result }
  /** Its worker is gone or gave it up: the call may have been made. */
  | { readonly kind: 'failed'; readonly why: string; readonly worker: string | undefined }
  /** A worker says that it did not begin it, and why. */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly worker: string }
  /** It was taken off the queue before any worker had it. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The same, because its worker would have too little time left for it: whoever asked queues it anew. */
  | { readonly kind: 'late' };

interface WatchedJob {
  readonly id: string;
  readonly runId: string;
  readonly nonce: string | undefined;
  /** The last moment at which it may be begun, so that there is time for all that it may take. */
  readonly beginsBy: number;
  /** Whether an earlier process queued it: what was said of it then is not said again. */
  readonly kind: 'queued' | 'found';
}

interface Waiter extends WatchedJob {
  readonly end: (end: JobEnd) => void;
  /** How many looks in a row found nobody at work on it. */
  misses: number;
}

/** Why a job has no result: as seen from here, or what Redis says of it, which anybody may have written there. */
type NoResultReason = { readonly why: string } | { readonly failedReason: string };

interface WatchParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  readonly settings: { readonly lockMs: number; readonly patienceMs: number };
  readonly name: string;
  readonly queue: Queue;
  readonly events: QueueEvents;
  readonly workers: WorkersSeen;
  readonly pulse: RedisPulse;
}

/**
 * Waits for the jobs of a lane. Redis tells when one ends; what was told while nobody listened, and what nobody tells
 * (a worker that died as the only one), is found by looking.
 */
export class JobWatch {
  readonly #parts: WatchParts;
  readonly #waiting = new Map<string, Waiter>();
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  #isLooking = false;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    parts.events.on('completed', ({ jobId }) => this.#hear(jobId, { why: 'its result is gone' }));
    parts.events.on('failed', ({ jobId, failedReason }) => this.#hear(jobId, { failedReason }));
    this.#timer = setInterval(() => this.#lookAtAll(), Math.max(200, parts.settings.lockMs / 2)).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stop.abort();
  }

  /**
   * Rejects with the signal's reason once that is aborted, unless the job could be taken off the queue; and where Redis is
   * gone: nobody knows then what became of the job.
   */
  async end(job: WatchedJob, signal: AbortSignal): Promise<JobEnd> {
    signal.throwIfAborted();
    const ended = new Promise<JobEnd>((resolve) => this.#waiting.set(job.id, { ...job, end: resolve, misses: 0 }));
    setMaxListeners(0, signal); // every call that waits listens to the run's one signal
    const over = new AbortController();
    const aborted = new Promise<'aborted'>((resolve) =>
      signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over.signal }),
    );
    if (job.kind === 'found') this.#hear(job.id, undefined);
    try {
      const end = await this.#parts.pulse.within(Promise.race([ended, aborted]), 'in-doubt');
      if (end !== 'aborted') return end;
      if (await this.#takeOff(job.id)) return { kind: 'unsent', why: 'It was cancelled.' };
      throw signal.reason;
    } finally {
      over.abort(); // lets go of the run's signal
      this.#waiting.delete(job.id);
    }
  }

  /** `why` it failed, should there be no result; undefined where it may just not be there yet. */
  #hear(id: string, why: NoResultReason | undefined): void {
    this.#take(id, why).catch(() => undefined); // the next look finds it
  }

  /** Whether the job has ended. What lies there in the place of a result and cannot be opened is none. */
  async #take(id: string, why: NoResultReason | undefined): Promise<boolean> {
    const waiter = this.#waiting.get(id);
    if (waiter === undefined) return true;
    const { redis, envelopes, clock } = this.#parts;
    const found = await redis.pipeline().get(keyOf.result(id)).pexpire(keyOf.result(id), resultKeptMs).exec();
    const result = readResult(found?.[0]?.[1], { ...waiter, now: clock.now() }, envelopes);
    if (result !== undefined) {
      waiter.end({ kind: 'result', result });
      return true;
    }
    if (why === undefined) return false;
    waiter.end(await this.#failed(waiter, why));
    return true;
  }

  /** Who had a job that came to nothing, and why it did, as far as they vouch for it. */
  async #failed({ id, beginsBy }: Waiter, seen: NoResultReason): Promise<JobEnd> {
    const { redis, envelopes, clock } = this.#parts;
    const { failedReason = '' } = 'failedReason' in seen ? seen : {};
    const [loss] = await lossesOf(redis, envelopes, [{ id, failedReason }], clock.now());
    const { worker, refused } = loss ?? {};
    if (worker !== undefined && refused !== undefined) return givenBack(worker, refused, clock.now() > beginsBy);
    const why = 'why' in seen ? seen.why : (loss?.why ?? 'it failed');
    return { kind: 'failed', why: worker === undefined ? why : `worker ${worker}: ${why}`, worker };
  }

  #lookAtAll(): void {
    if (this.#isLooking || this.#waiting.size === 0) return;
    this.#isLooking = true;
    this.#lookOnce()
      .catch(() => undefined) // Redis is gone for the moment
      .finally(() => (this.#isLooking = false));
  }

  async #lookOnce(): Promise<void> {
    const { redis, name, workers, settings, clock } = this.#parts;
    const unservedMs = await workers.unservedMs(name, this.#stop.signal);
    const waiters = [...this.#waiting.values()];
    const pipeline = redis.pipeline();
    for (const { id } of waiters)
      pipeline
        .exists(keyOf.result(id))
        .hmget(keyOf.job(name, id), 'timestamp', 'processedOn', 'finishedOn', 'failedReason')
        .exists(keyOf.lock(name, id));
    const found = (await pipeline.exec()) ?? [];
    for (const [index, waiter] of waiters.entries()) {
      const [isAnswered, job, isLocked] = found.slice(index * 3, index * 3 + 3).map(([, value]) => value);
      const seen = readSeen(isAnswered, job, isLocked);
      const isUnserved = unservedMs > settings.patienceMs;
      const isLate = clock.now() > waiter.beginsBy;
      const inVain = isUnserved ? unserved : isLate ? ({ kind: 'late' } as const) : undefined;
      await this.#judge(waiter, seen, inVain);
    }
  }

  /** `inVain`: how a job ends that waits and will not be answered. */
  async #judge(waiter: Waiter, seen: SeenJob, inVain: JobEnd | undefined): Promise<void> {
    if (seen.isAnswered && (await this.#take(waiter.id, undefined))) return;
    if (seen.failed !== undefined) {
      await this.#take(waiter.id, { failedReason: seen.failed });
      return;
    }
    if (seen.isWaiting) {
      waiter.misses = 0;
      if (inVain !== undefined && (await this.#takeOff(waiter.id))) waiter.end(inVain);
      return;
    }
    waiter.misses = seen.isAtWork ? 0 : waiter.misses + 1;
    if (waiter.misses >= missesAllowed) await this.#take(waiter.id, { why: seen.isThere ? unheard : 'it is gone' });
  }

  async #takeOff(id: string): Promise<boolean> {
    const late = this.#parts.clock.sleep(takeOffMs, this.#stop.signal).then(() => 0);
    const removed = this.#parts.queue.remove(id).catch(() => 0);
    return (await Promise.race([removed, late.catch(() => 0)])) === 1;
  }
}

/** What waited too long is queued anew. */
function givenBack(worker: string, why: Refusal, isLate: boolean): JobEnd {
  return why === 'expired' && isLate ? { kind: 'late' } : { kind: 'refused', why, worker };
}

/** How long a result lies there after it was read: as long as whoever read it may take to be killed and resumed. */
export const resultKeptMs = 2 * 60_000;
const unserved: JobEnd = { kind: 'unsent', why: 'No worker took the job off the queue in time.' };
const missesAllowed = 2;
const takeOffMs = 2_000;

interface SeenJob {
  readonly isThere: boolean;
  readonly isAnswered: boolean;
  readonly isWaiting: boolean;
  readonly isAtWork: boolean;
  readonly failed: string | undefined;
}

function readSeen(isAnswered: unknown, job: unknown, isLocked: unknown): SeenJob {
  const [timestamp, processedOn, finishedOn, failedReason] = z.array(z.string().nullable()).catch([]).parse(job);
  const [isThere, isTaken, isOver] = [timestamp, processedOn, finishedOn].map((each) => typeof each === 'string');
  const isLeft = isThere === true && isOver !== true;
  return {
    isThere: isThere === true,
    isAnswered: isAnswered === 1,
    isWaiting: isLeft && isTaken !== true,
    isAtWork: isLeft && isTaken === true && isLocked === 1,
    failed: isOver === true ? (failedReason ?? '') : undefined,
  };
}
