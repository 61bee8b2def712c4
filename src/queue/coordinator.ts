import { randomBytes } from 'node:crypto';
import { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { FailedCall } from '../models/wrappers/failedCall.js';
import type { AttemptRunner, PhysicalCall, ProgramCall } from '../ports/attemptRunner.js';
import type { Clock } from '../ports/clock.js';
import type { ModelIdentity, ModelReply, ModelRole } from '../ports/languageModel.js';
import type { ProgramResult, Programs } from '../ports/programs.js';
import { sendWork } from './blobs.js';
import { errorOf } from './callFailure.js';
import type { Envelopes } from './envelope.js';
import { jobId, laneName, laneOf, limitOfCall, mostFolderBytes, requestToSend, type Lane, type Result } from './job.js';
import { JobWatch, resultKeptMs, type JobEnd } from './jobWatch.js';
import { knownJob, type QueueEntry } from './knownJob.js';
import { PlacedPrograms, type ProgramJob } from './placedPrograms.js';
import { another, keyOf, prefix, refusalOf } from './redis.js';
import { RedisPulse } from './redisPulse.js';
import { refusedCall } from './told/refusedCall.js';
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
  /** Jobs on their way into the queue, which its length does not count yet; those that only wait for room are none. */
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
  readonly #pulse: RedisPulse;
  readonly #workers: WorkersSeen;
  /** By lane: a worker that starts late need not find out what another has. */
  readonly #forms = new Map<string, unknown>();
  readonly #programs: PlacedPrograms;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#tries = new TryNumbers(parts.clock, resultKeptMs * 2);
    const pulse = new RedisPulse(parts);
    this.#pulse = pulse;
    this.#workers = new WorkersSeen({ ...parts, pulse });
    const ask = (asked: ProgramJob, signal: AbortSignal): Promise<QueuedEnd> => this.#attempt(asked, signal);
    const { clock } = parts;
    this.#programs = new PlacedPrograms({ workers: this.#workers, tries: this.#tries, pulse, clock, ask });
  }

  readonly mostFolderBytes = mostFolderBytes;

  readonly staysHere: NonNullable<AttemptRunner['staysHere']> = (request, signal) =>
    this.#programs.staysHere(request, signal);

  program(call: ProgramCall, here: Programs['run'], signal: AbortSignal): Promise<ProgramResult> {
    return this.#programs.run(call, here, signal);
  }

  async run(call: PhysicalCall, here: Parameters<AttemptRunner['run']>[1], signal: AbortSignal): Promise<ModelReply> {
    const lane = laneOf(call);
    if (lane === undefined) return here(call.request, signal);
    const { runId, request } = call;
    const key = call.key();
    const limitMs = limitOfCall(request);
    const content: ProgramJob['content'] = async (to) => ({
      request: requestToSend(request, await sendWork(request.work, to)),
      form: this.#forms.get(laneName(lane)),
    });
    let skipped = 0;
    while (skipped <= mostSkipped) {
      const id = jobId(runId, key, this.#tries.next(`${runId} ${key}`));
      const end = await this.#attempt({ lane, id, runId, limitMs, content }, signal);
      if (end.kind !== 'taken' && end.kind !== 'late') return this.#judged(call, answerOf(end), signal);
      skipped += end.kind === 'taken' ? 1 : 0;
    }
    throw new FailedCall('unavailable', 'Every number of this call is taken on the queue.', unsent);
  }

  /** With what programs say of the folder that an agent left on another machine, where there are any. */
  async #judged(call: PhysicalCall, { reply, left }: ReplyResult, signal: AbortSignal): Promise<ModelReply> {
    const { request, workJudge } = call;
    if (workJudge === undefined || (request.work?.judges.length ?? 0) === 0 || reply.work?.ended !== 'done')
      return reply;
    const judged = await this.#programs.judge({ call, left }, this.#parts, signal);
    return { ...reply, work: { ...reply.work, judged } };
  }

  /** Whether a worker serves this model; throws where none does for a while. */
  async reach(model: ModelIdentity, role: ModelRole, signal: AbortSignal): Promise<boolean> {
    if (role === 'optimizer') return false;
    await this.#workers.waitFor({ role, model }, signal);
    return true;
  }

  async close(): Promise<void> {
    const lanes = [...this.#lanes.values()];
    for (const { watch } of lanes) watch.stop();
    const closing = Promise.allSettled(lanes.flatMap(({ events, queue }) => [events.close(), queue.close()]));
    const late = new AbortController();
    await Promise.race([closing, this.#parts.clock.sleep(closingMs, late.signal).catch(() => undefined)]);
    late.abort();
    for (const { connection } of lanes) connection.disconnect();
    this.#pulse.stop();
    this.#parts.redis.disconnect();
  }

  async #attempt(asked: ProgramJob, signal: AbortSignal): Promise<QueuedEnd> {
    const { lane, id, runId } = asked;
    signal.throwIfAborted();
    await this.#workers.waitFor(lane, signal);
    const at = this.#lane(lane);
    const job = await this.#enter(at, asked, signal);
    if (job.kind === 'taken') return job;
    const end = await at.watch.end({ id, runId, ...job, beginsBy: job.expiresAt - asked.limitMs }, signal);
    const failure = end.kind === 'result' && end.result.kind === 'failed' ? end.result.failure : undefined;
    if (failure?.form !== undefined) this.#forms.set(at.name, failure.form);
    // It failed before this run went on: what was wrong may be mended.
    return failure !== undefined && job.kind === 'found' && job.wasOver ? { kind: 'taken' } : end;
  }

  /** Queues the job, or finds it: whoever resumes a run that was killed takes what the killed one had queued. */
  async #enter(at: LaneParts, asked: ProgramJob, signal: AbortSignal): Promise<QueueEntry> {
    const { clock, settings, shown } = this.#parts;
    await this.#pulse.within(at.ready, 'not-sent');
    let refusedSince: number | undefined;
    for (;;) {
      signal.throwIfAborted();
      await this.#workers.connected(signal);
      const { known, waiting } = await this.#pulse.within(this.#look(at.name, asked), 'not-sent');
      if (known !== undefined) return known;
      if (waiting + at.entering < settings.mostWaiting) {
        const queued = await this.#pulse.within(this.#queue(at, asked), 'in-doubt');
        if (queued.kind !== 'refused') return queued;
        refusedSince ??= clock.now();
        if (clock.now() - refusedSince > settings.patienceMs) throw takesNothing(shown, queued.why);
      }
      await clock.sleep(roomMs, signal);
    }
  }

  async #look(name: string, { id, runId }: ProgramJob): Promise<{ known: QueueEntry | undefined; waiting: number }> {
    const { redis, envelopes, clock } = this.#parts;
    const found = await redis
      .pipeline()
      .exists(keyOf.result(id))
      .hgetall(keyOf.job(name, id))
      .llen(keyOf.waiting(name))
      .exists(keyOf.claim(id))
      .exec();
    const [isAnswered, job, waiting, isClaimed] = (found ?? []).map(([, value]) => value);
    const now = clock.now();
    const answered: QueueEntry = { kind: 'found', wasOver: true, nonce: undefined, expiresAt: now + resultKeptMs };
    const left = Number(isClaimed) > 0 ? ({ kind: 'taken' } as const) : undefined;
    const known = Number(isAnswered) > 0 ? answered : (knownJob(job, { id, runId, now }, envelopes) ?? left);
    return { known, waiting: Number(waiting) };
  }

  async #queue(at: LaneParts, { lane, id, runId, limitMs, content }: ProgramJob): Promise<QueueEntry | EntryRefusal> {
    const { redis, envelopes, clock, settings } = this.#parts;
    const nonce = randomBytes(16).toString('hex');
    const expiresAt = clock.now() + settings.jobMs + limitMs;
    at.entering += 1;
    try {
      const body = { version: 1, nonce, lane, ...(await content({ redis, envelopes, expiresAt })) };
      const sealed = envelopes.seal({ kind: 'job', id, runId, expiresAt }, JSON.stringify(body));
      if (sealed.length > mostJobLength) throw tooLarge();
      await at.queue.add('call', { sealed }, jobOptions(id));
    } catch (error) {
      const why = refusalOf(error);
      if (why === undefined) throw error;
      return { kind: 'refused', why };
    } finally {
      at.entering -= 1;
    }
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
    const watch = new JobWatch({ ...this.#parts, name, queue, events, workers: this.#workers, pulse: this.#pulse });
    const made: LaneParts = { name, queue, events, connection, watch, ready: events.waitUntilReady(), entering: 0 };
    this.#lanes.set(name, made);
    const label = { kind: 'lane', id: name, runId: '', expiresAt: forEver } as const;
    redis.hset(keyOf.lanes, name, envelopes.seal(label, JSON.stringify(lane))).catch(() => undefined); // only for show
    return made;
  }
}

type QueuedEnd = JobEnd | { readonly kind: 'taken' };
/** Redis has no room for it. */
interface EntryRefusal {
  readonly kind: 'refused';
  readonly why: string;
}

const mostSkipped = 64;
const roomMs = 100;
const closingMs = 2_000; // with a Redis that is gone it would take for ever
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

/** In characters; a prompt of a million tokens has some four million. */
const mostJobLength = 16 * 1024 * 1024;

function tooLarge(): FailedCall {
  const cure = 'Run it without --queue, or shorten the task.';
  return new FailedCall('context-length', 'The call is too large for the queue.', { ...unsent, cure });
}

const unsent = { charged: false, sent: false } as const;

function takesNothing(shown: string, why: string): FailedCall {
  const cure =
    'Give Redis more memory (maxmemory) or disk, then resume the run: what was answered is kept and not paid again.';
  return new FailedCall('endpoint', `The queue at ${shown} takes nothing more: ${why}.`, { ...unsent, cure });
}

type ReplyResult = Extract<Result, { kind: 'reply' }>;

function answerOf(end: Exclude<JobEnd, { kind: 'late' }>): ReplyResult {
  switch (end.kind) {
    case 'result':
      return replyIn(end.result);
    case 'refused':
      throw refusedCall(end.why, end.worker);
    case 'unsent':
      throw new FailedCall('unavailable', end.why, { ...unsent });
    case 'failed':
      throw new FailedCall('unavailable', `A job on the queue came to nothing: ${end.why}.`, {
        charged: true,
        worker: end.worker,
      });
  }
}

function replyIn(result: Result): ReplyResult {
  if (result.kind === 'reply') return { ...result, reply: { ...result.reply, worker: result.worker } };
  if (result.kind === 'failed') throw errorOf(result.failure, result.worker);
  const message = `The worker ${result.worker} answered something else than it was asked.`;
  throw new FailedCall('malformed', message, { charged: true });
}
