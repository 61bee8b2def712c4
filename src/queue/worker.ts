import { randomBytes } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../ports/clock.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { WorkerPrograms } from '../ports/workerPrograms.js';
import { removeBroken } from './told/brokenJobs.js';
import type { Envelopes } from './envelope.js';
import { laneName, programLane, type QueuedEnvironment, type QueuedRole } from './job.js';
import { another, prefix } from './redis.js';
import { ResultRoom } from './resultRoom.js';
import { beatMs, showCard, withdrawCard, type WorkerCard } from './workerCard.js';
import { Jobs, resultMs, type ServedLane } from './workerJobs.js';
import { WorkTally } from './workTally.js';

export interface WorkerParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  /** The models that it was started with, bare; a job for any other is refused. */
  readonly models: Readonly<Record<QueuedRole, LanguageModel>>;
  readonly roles: readonly QueuedRole[];
  readonly environments: readonly QueuedEnvironment[];
  /** What it may run in its sandbox; why it runs nothing where it has none. */
  readonly programs?: WorkerPrograms | { readonly why: string } | undefined;
  /** Jobs of each lane at a time. */
  readonly concurrency: number;
  readonly lockMs: number;
  /** As people know it. */
  readonly name: string;
  /** Told to whoever runs it, as whole sentences. */
  readonly tell: (line: string) => void;
}

export interface RunningWorker {
  /** What it says of itself. */
  card(): WorkerCard;
  /** Lets what is under way end, and takes nothing more. */
  close(): Promise<void>;
}

/** What a worker is started for. */
export type WorkerOffer = Pick<WorkerParts, 'models' | 'roles' | 'environments' | 'programs'>;

const sweepMs = 60_000;

/**
 * Answers jobs: one physical call each, with its own keys, and no second try. It takes no job that was not signed, that it
 * or another worker has taken before, or that it was not started for.
 */
export async function startWorker(parts: WorkerParts): Promise<RunningWorker> {
  const { redis, envelopes, clock, concurrency } = parts;
  const served = servedLanes(parts);
  const id = randomBytes(8).toString('hex');
  const tally = new WorkTally(
    { id, name: parts.name, concurrency, clock, ...programsOnCard(parts, served) },
    served.map(({ lane }) => lane),
  );
  const room = new ResultRoom({
    clock,
    tell: parts.tell,
    pause: () => lanes.forEach(({ worker }) => void worker.pause(true)),
    resume: () => lanes.forEach(({ worker }) => void worker.resume()),
  });
  const jobs = new Jobs({ ...parts, programs: programsOf(parts), served, tally, room });
  const lanes = served.map(({ lane }) => openLane(laneName(lane), parts, { jobs, tally }));
  const beat = (): Promise<void> => showCard(redis, envelopes, tally.card());
  const timers: NodeJS.Timeout[] = [];
  let heard: (() => void) | undefined;
  const close = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    heard?.();
    await Promise.allSettled(lanes.map(({ worker }) => worker.close()));
    for (const { connection } of lanes) connection.disconnect();
    await withdrawCard(redis, id).catch(() => undefined);
    await Promise.allSettled(lanes.map(({ queue }) => queue.close()));
    redis.disconnect();
  };
  try {
    await beat();
  } catch (error) {
    await close();
    throw error;
  }
  for (const { worker } of lanes) worker.run().catch(() => undefined);
  const beatOnce = (): Promise<unknown> =>
    beat().then(
      () => room.taken(),
      (error: unknown) => room.refused(error),
    );
  timers.push(setInterval(() => void beatOnce(), beatMs));
  heard = tellOfLoss(redis, parts.tell);
  timers.push(setInterval(() => void sweep(lanes.map(({ queue }) => queue)).catch(() => undefined), sweepMs));
  return { card: () => tally.card(), close };
}

/** Tells when Redis is gone and when it is back, once each; the answer ends that. */
function tellOfLoss(redis: Redis, tell: (line: string) => void): () => void {
  let isGone = false;
  const gone = (): void => {
    if (!isGone) tell('Redis is gone: this worker takes no jobs until it is back, and looks for it all the time.');
    isGone = true;
  };
  const back = (): void => {
    if (isGone) tell('Redis is back: this worker takes jobs.');
    isGone = false;
  };
  redis.on('close', gone);
  redis.on('ready', back);
  return () => {
    redis.off('close', gone);
    redis.off('ready', back);
  };
}

/** Takes nothing before it is told to run. */
function openLane(
  name: string,
  parts: WorkerParts,
  { jobs, tally }: { readonly jobs: Jobs; readonly tally: WorkTally },
) {
  const { redis, lockMs, concurrency } = parts;
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
  worker.on('error', () => {
    const look = removeBroken(redis, name);
    look.then((ids) => ids.forEach((id) => tally.refuse(name, id, 'malformed'))).catch(() => undefined);
  });
  return { worker, queue, connection };
}

/** An agent works in a folder only where its adapter can; programs see answers, and run in a sandbox or not at all. */
export function servedLanes(parts: WorkerOffer): readonly ServedLane[] {
  const { roles, environments, models } = parts;
  const calls = roles.flatMap((role) => {
    const model = models[role];
    return environments
      .filter((kind) => kind === 'chat' || (kind === 'agent' && role === 'target' && mayWork(model)))
      .map((environment) => ({ lane: { role, environment, model: model.identity }, model }));
  });
  const { allowed = new Set<string>() } = programsOf(parts) ?? {};
  const runsPrograms = roles.includes('judge') && environments.includes('program') && allowed.size > 0;
  return runsPrograms ? [...calls, { lane: programLane(allowed), model: undefined }] : calls;
}

function programsOf({ programs }: WorkerOffer): WorkerPrograms | undefined {
  return programs !== undefined && 'allowed' in programs ? programs : undefined;
}

/** What its card says of programs. */
export function programsOnCard(
  parts: WorkerOffer,
  served: readonly ServedLane[],
): Pick<WorkerCard, 'programs' | 'noPrograms'> {
  const { environments, roles, programs } = parts;
  if (!environments.includes('program')) return {};
  if (served.some(({ lane }) => lane.environment === 'program'))
    return { programs: [...(programsOf(parts)?.allowed ?? [])].toSorted() };
  if (!roles.includes('judge')) return { noPrograms: 'Programs see answers: they need the role judge.' };
  return { noPrograms: programs !== undefined && 'why' in programs ? programs.why : 'Its list of programs is empty.' };
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
