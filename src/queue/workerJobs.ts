import { UnrecoverableError, type Job as QueuedJob } from 'bullmq';
import { messageOf } from '../errors.js';
import { FailedCall } from '../models/wrappers/failedCall.js';
import type { LanguageModel, ModelReply, ModelRequest } from '../ports/languageModel.js';
import type { WorkerPrograms } from '../ports/workerPrograms.js';
import { fetchWork, HostileArchive } from './blobs.js';
import { failureOf, type CallFailure } from './callFailure.js';
import { refusedAs, sealTold } from './told/jobLoss.js';
import { laneName, limitOf, readJob, type CallJob, type Job, type Lane, type Refusal, type JobReport } from './job.js';
import type { LeftForm } from './programForm.js';
import { leftToSend, programToRun } from './programJob.js';
import { keyOf } from './redis.js';
import type { ResultRoom } from './resultRoom.js';
import type { WorkerParts } from './worker.js';
import type { WorkTally } from './workTally.js';

/** What a worker takes jobs for. */
export interface ServedLane {
  readonly lane: Lane;
  /** Undefined where it runs programs. */
  readonly model: LanguageModel | undefined;
}

/** How long a result waits for whoever asked. */
export const resultMs = 60 * 60_000;

/** What its jobs need of a worker. */
interface JobParts extends Pick<WorkerParts, 'redis' | 'envelopes' | 'clock' | 'name'> {
  readonly served: readonly ServedLane[];
  readonly programs: WorkerPrograms | undefined;
  readonly tally: WorkTally;
  readonly room: ResultRoom;
}

/** Takes jobs one by one, and puts what they came to where whoever asked finds it. */
export class Jobs {
  readonly #parts: JobParts;
  /** Jobs that were taken here, until they expire: whoever deletes a claim gets no job a second time. */
  readonly #taken = new Map<string, number>();

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  async answer(lane: string, { id = '', data }: QueuedJob): Promise<void> {
    const { envelopes, clock, redis, served, tally, room } = this.#parts;
    const sealed: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'sealed') : undefined;
    const offered = served.map((each) => each.lane);
    const read = readJob(sealed, { id, lane, now: clock.now() }, { envelopes, offered });
    if (read.kind === 'refused') return this.#refuse(lane, id, read.why, this.#taken.has(id));
    if (!(await this.#claim(id, read.expiresAt))) return this.#refuse(lane, id, 'replayed');
    const limitMs = limitOf(read.job);
    const isLate = clock.now() > read.expiresAt - limitMs;
    const ready = isLate ? tooLate : await this.#ready(lane, read.job);
    if (typeof ready === 'string') return this.#refuse(lane, id, ready);
    const began = clock.now();
    const leftMs = Math.max(limitMs, read.expiresAt - began) + graceMs;
    tally.begin(lane);
    const about = { nonce: read.job.nonce, worker: this.#parts.name };
    const result = { ...(await ready(AbortSignal.timeout(leftMs))), ...about };
    const failure = result.kind === 'failed' ? result.failure.message : undefined;
    tally.end(lane, { job: id, ms: clock.now() - began, failure });
    const label = { kind: 'result', id, runId: read.runId, expiresAt: clock.now() + resultMs } as const;
    const told = envelopes.seal(label, JSON.stringify(result));
    try {
      await room.store(() => redis.set(keyOf.result(id), told, 'PX', resultMs));
    } catch (error) {
      await this.#tellLoss(id, messageOf(error).slice(0, longestReason));
      throw error;
    }
  }

  /** What the job does, with all that it names fetched; why it is refused where that is not as it must be. */
  async #ready(lane: string, job: Job): Promise<Doing | Refusal> {
    const served = this.#parts.served.find((each) => laneName(each.lane) === lane);
    try {
      if (!('request' in job)) {
        const run = await programToRun(job, this.#parts);
        return run === undefined ? 'program' : failing(async (signal) => ({ kind: 'ended', ends: await run(signal) }));
      }
      const { model } = served ?? {};
      return model === undefined ? 'model' : this.#call(model, job, await this.#request(job));
    } catch (error) {
      if (error instanceof HostileArchive) return 'archive';
      return failing(() => Promise.reject(error));
    }
  }

  /** The one physical call. */
  #call(model: LanguageModel, { form }: CallJob, request: ModelRequest): Doing {
    const ask = model.once ?? ((asked, signal) => model.complete(asked, signal));
    const call = failing(async (signal) => {
      if (form !== undefined) model.form?.take(form);
      const reply = await ask(request, signal);
      return { kind: 'reply', reply: withoutOwn(reply), ...(await this.#leftBy(reply)) };
    });
    return async (signal) => {
      const said = await call(signal);
      return said.kind === 'failed' ? { ...said, failure: withForm(said.failure, model) } : said;
    };
  }

  /** What an agent changed, for whoever judges it; nothing where that is too much for the queue, which is told by that. */
  async #leftBy({ work }: ModelReply): Promise<{ readonly left?: LeftForm }> {
    if (work?.folder === undefined) return {};
    const { redis, envelopes, clock } = this.#parts;
    const sent = leftToSend(work.folder, { redis, envelopes, expiresAt: clock.now() + resultMs });
    return sent.then(
      (left) => ({ left }),
      (error: unknown) => {
        if (error instanceof FailedCall) return {};
        throw error;
      },
    );
  }

  async #request({ request: { work, ...request } }: CallJob): Promise<ModelRequest> {
    return work === undefined ? request : { ...request, work: await fetchWork(work, this.#parts) };
  }

  /** True where nobody has taken the job before. */
  async #claim(id: string, expiresAt: number): Promise<boolean> {
    const { redis, envelopes, clock, name } = this.#parts;
    const now = clock.now();
    for (const [old, until] of this.#taken) if (until < now) this.#taken.delete(old);
    if (this.#taken.has(id)) return false;
    const keptMs = Math.max(0, expiresAt - now) + claimKeptMs;
    this.#taken.set(id, now + keptMs);
    // For as long as its failure is shown, whose worker is told by it.
    const toldMs = Math.max(keptMs, resultMs);
    const told = sealTold(envelopes, { kind: 'claim', id, expiresAt: now + toldMs }, { worker: name });
    return (await redis.set(keyOf.claim(id), told, 'PX', toldMs, 'NX')) === 'OK';
  }

  /** `wasTaken`: an earlier job of this name was begun here, of which nothing is said by that. */
  async #refuse(lane: string, id: string, why: Refusal, wasTaken = why === 'replayed'): Promise<never> {
    this.#parts.tally.refuse(lane, id, why);
    await this.#tellLoss(id, refusedAs(why), wasTaken ? {} : { refused: why });
    throw new UnrecoverableError(refusedAs(why));
  }

  /** What Redis keeps of a failure anybody who has it could write: the worker signs its own word. */
  async #tellLoss(id: string, why: string, more: { readonly refused?: Refusal } = {}): Promise<void> {
    const { redis, envelopes, clock, name } = this.#parts;
    const label = { kind: 'loss', id, expiresAt: clock.now() + resultMs } as const;
    const told = sealTold(envelopes, label, { worker: name, why, ...more });
    await redis.set(keyOf.loss(id), told, 'PX', resultMs).catch(() => undefined);
  }
}

const longestReason = 300;

type Doing = (signal: AbortSignal) => Promise<JobReport>;

/** For what comes with a job beside its limit, such as its folder, and for calls without one. */
const graceMs = 60_000;

/** Begun now it would be cut short and paid for: whoever asked queues it anew. */
const tooLate: Doing = failing(() =>
  Promise.reject(
    new FailedCall('unavailable', 'The job waited too long on the queue.', { charged: false, sent: false }),
  ),
);

/** What is thrown is told to whoever asked. */
function failing(work: Doing): Doing {
  return async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      return { kind: 'failed', failure: failureOf(error) };
    }
  };
}

function withForm(failure: CallFailure, { form }: LanguageModel): CallFailure {
  return failure.of === 'form' && form !== undefined ? { ...failure, form: form.tell() } : failure;
}

/** Beyond its expiry, in case that the clocks of two machines differ. */
const claimKeptMs = 2 * 60_000;

/** What a program told line by line is kept on the machine that it ran on; a folder goes by itself. */
function withoutOwn({ work, ...reply }: ModelReply): ModelReply {
  if (work === undefined) return reply;
  const { raw: _kept, folder: _sent, ...left } = work;
  return { ...reply, work: left };
}
