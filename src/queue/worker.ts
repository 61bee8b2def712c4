import { randomBytes } from 'node:crypto';
import { Queue, UnrecoverableError, Worker, type Job as QueuedJob } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../ports/clock.js';
import type { LanguageModel, ModelReply, ModelRequest } from '../ports/languageModel.js';
import { fetchWork } from './blobs.js';
import { failureOf, type CallFailure } from './callFailure.js';
import type { Envelopes } from './envelope.js';
import {
  laneName,
  readJob,
  type Job,
  type Lane,
  type QueuedEnvironment,
  type QueuedRole,
  type Refusal,
  type Result,
} from './job.js';
import { another, keyOf, prefix } from './redis.js';
import { beatMs, showCard, withdrawCard, type WorkerCard } from './workerCard.js';
import { WorkTally } from './workTally.js';

export interface WorkerParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  /** The models that it was started with, bare; a job for any other is refused. */
  readonly models: Readonly<Record<QueuedRole, LanguageModel>>;
  readonly roles: readonly QueuedRole[];
  readonly environments: readonly QueuedEnvironment[];
  /** Jobs of each lane at a time. */
  readonly concurrency: number;
  readonly lockMs: number;
  /** As people know it. */
  readonly name: string;
}

export interface RunningWorker {
  /** What it says of itself. */
  card(): WorkerCard;
  /** Lets what is under way end, and takes nothing more. */
  close(): Promise<void>;
}

interface Served {
  readonly lane: Lane;
  readonly model: LanguageModel;
}

/** How long a result waits for whoever asked. */
const resultMs = 60 * 60_000;
const sweepMs = 60_000;

/**
 * Answers jobs: one physical call each, with its own keys, and no second try. It takes no job that was not signed, that it
 * or another worker has taken before, or that it was not started for.
 */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { redis, envelopes, clock, lockMs, concurrency } = parts;
  const served = servedLanes(parts);
  const id = randomBytes(8).toString('hex');
  const tally = new WorkTally(
    { id, name: parts.name, concurrency, clock },
    served.map(({ lane }) => lane),
  );
  const jobs = new Jobs(parts, served, tally);
  const lanes = served.map(({ lane }) => {
    const name = laneName(lane);
    const connection = another(redis);
    const worker = new Worker(name, (job) => jobs.answer(name, job), {
      connection,
      prefix,
      name: parts.name,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: 0, // a job that lost its worker goes back to whoever asked, never to another worker
      runRetryDelay: 500,
      autorun: false,
    });
    const queue = new Queue(name, { connection: redis, prefix });
    queue.on('error', () => undefined); // the connection says what is wrong with it
    worker.on('error', () => undefined);
    return { worker, queue, connection };
  });
  const beat = (): Promise<void> => showCard(redis, envelopes, tally.card());
  await beat();
  for (const { worker } of lanes) worker.run().catch(() => undefined);
  const beats = setInterval(() => void beat().catch(() => undefined), beatMs);
  const sweeps = setInterval(() => void sweep(lanes.map(({ queue }) => queue)).catch(() => undefined), sweepMs);
  return {
    card: () => tally.card(),
    async close() {
      clearInterval(beats);
      clearInterval(sweeps);
      await Promise.allSettled(lanes.map(({ worker }) => worker.close()));
      for (const { connection } of lanes) connection.disconnect();
      await withdrawCard(redis, id).catch(() => undefined);
      await Promise.allSettled(lanes.map(({ queue }) => queue.close()));
      redis.disconnect();
    },
  };
}

/** An agent works in a folder only where its adapter can. */
function servedLanes({ roles, environments, models }: WorkerParts): readonly Served[] {
  return roles.flatMap((role) => {
    const model = models[role];
    return environments
      .filter((environment) => environment === 'chat' || (role === 'target' && mayWork(model)))
      .map((environment) => ({ lane: { role, environment, model: model.identity }, model }));
  });
}

function mayWork({ mayPassBy, identity }: LanguageModel): boolean {
  return mayPassBy !== undefined || identity.simulated;
}

/** What nobody came for is taken away: texts lie on the queue for as long as they are of use. */
async function sweep(queues: readonly Queue[]): Promise<void> {
  for (const queue of queues) {
    for (const kind of ['failed', 'completed', 'wait'] as const) await queue.clean(resultMs, 1_000, kind);
  }
}

class Jobs {
  readonly #parts: WorkerParts;
  readonly #served: readonly Served[];
  readonly #tally: WorkTally;
  /** Jobs that were taken here, until they expire: whoever deletes a claim gets no job a second time. */
  readonly #taken = new Map<string, number>();

  constructor(parts: WorkerParts, served: readonly Served[], tally: WorkTally) {
    this.#parts = parts;
    this.#served = served;
    this.#tally = tally;
  }

  async answer(lane: string, { id = '', data }: QueuedJob): Promise<void> {
    const { envelopes, clock, redis } = this.#parts;
    const sealed: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'sealed') : undefined;
    const offered = this.#served.map((each) => each.lane);
    const read = readJob(sealed, { id, lane, now: clock.now() }, { envelopes, offered });
    if (read.kind === 'refused') return this.#refuse(lane, id, read.why);
    if (!(await this.#claim(id, read.expiresAt))) return this.#refuse(lane, id, 'replayed');
    const began = clock.now();
    this.#tally.begin(lane);
    const result = await this.#call(lane, read.job, read.expiresAt);
    const failure = result.kind === 'failed' ? result.failure.message : undefined;
    this.#tally.end(lane, { job: id, ms: clock.now() - began, failure });
    const label = { kind: 'result', id, runId: read.runId, expiresAt: clock.now() + resultMs } as const;
    await redis.set(keyOf.result(id), envelopes.seal(label, JSON.stringify(result)), 'PX', resultMs);
  }

  /** The one physical call. */
  async #call(lane: string, job: Job, expiresAt: number): Promise<Result> {
    const about = { nonce: job.nonce, worker: this.#parts.name };
    const served = this.#served.find((each) => laneName(each.lane) === lane);
    if (served === undefined) throw new UnrecoverableError('refused as model');
    const { model } = served;
    try {
      const request = await this.#request(job);
      if (job.form !== undefined) model.form?.take(job.form);
      const ask = model.once ?? ((asked, signal) => model.complete(asked, signal));
      const reply = await ask(request, AbortSignal.timeout(Math.max(1, expiresAt - this.#parts.clock.now())));
      return { kind: 'reply', ...about, reply: withoutRaw(reply) };
    } catch (error) {
      return { kind: 'failed', ...about, failure: withForm(failureOf(error), model) };
    }
  }

  async #request({ request: { work, ...request } }: Job): Promise<ModelRequest> {
    return work === undefined ? request : { ...request, work: await fetchWork(work, this.#parts) };
  }

  /** True where nobody has taken the job before. */
  async #claim(id: string, expiresAt: number): Promise<boolean> {
    const { redis, clock, name } = this.#parts;
    const now = clock.now();
    for (const [old, until] of this.#taken) if (until < now) this.#taken.delete(old);
    if (this.#taken.has(id)) return false;
    const keptMs = Math.max(0, expiresAt - now) + claimKeptMs;
    this.#taken.set(id, now + keptMs);
    return (await redis.set(keyOf.claim(id), name, 'PX', keptMs, 'NX')) === 'OK';
  }

  #refuse(lane: string, id: string, why: Refusal): never {
    this.#tally.refuse(lane, id, why);
    throw new UnrecoverableError(`refused as ${why}`);
  }
}

function withForm(failure: CallFailure, { form }: LanguageModel): CallFailure {
  return failure.of === 'form' && form !== undefined ? { ...failure, form: form.tell() } : failure;
}

/** Beyond its expiry, in case that the clocks of two machines differ. */
const claimKeptMs = 2 * 60_000;

/** What a program told line by line is kept on the machine that it ran on. */
function withoutRaw({ work, ...reply }: ModelReply): ModelReply {
  if (work === undefined) return reply;
  const { raw: _kept, ...left } = work;
  return { ...reply, work: left };
}
