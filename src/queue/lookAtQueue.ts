import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { FailedJob, LaneState, QueueState } from '../ports/queueState.js';
import type { Envelopes } from './envelope.js';
import { laneName, queuedEnvironments, queuedRoles } from './job.js';
import { lossesOf, withWhatFollows } from './told/jobLoss.js';
import { modelName, ownServer } from './told/modelNames.js';
import { keyOf, prefix } from './redis.js';
import { readWorkers, type LaneCard, type WorkerCard } from './workerCard.js';

const Lane = z.object({
  role: z.enum(queuedRoles),
  environment: z.enum(queuedEnvironments),
  model: z.object({
    provider: z.string(),
    endpoint: z.string(),
    model: z.string(),
    simulated: z.boolean(),
    options: z.string().optional(),
  }),
});

/** Looks, and changes nothing. */
export async function lookAtQueue(redis: Redis, envelopes: Envelopes, now: number): Promise<QueueState> {
  const { cards: workers, otherSecret, otherClock } = await readWorkers(redis, envelopes, now);
  const known = await knownLanes(redis, envelopes, now);
  const fromCards = workers.flatMap(({ lanes }) => lanes);
  const all = new Map([...fromCards, ...known].map((lane) => [lane.lane, lane]));
  const looked = await Promise.all(
    [...all.values()].map((lane) => lookAtLane({ redis, envelopes, now }, lane, workers)),
  );
  const told = workers.flatMap(({ name, failures }) =>
    failures.map(({ lane, job, ...failure }) => {
      return { ...failure, job: knownId(job), worker: name, model: all.get(lane)?.model ?? '' };
    }),
  );
  const failures = distinct([...looked.flatMap(({ lost }) => lost), ...told]).toSorted((a, b) => a.at - b.at);
  return {
    workers,
    ...(otherSecret === 0 ? {} : { otherSecret }),
    ...(otherClock === 0 ? {} : { otherClock }),
    lanes: looked.map(({ state }) => state).filter((state) => isOfInterest(state)),
    failures: failures.slice(-failuresShown),
  };
}

const failuresShown = 20;

type NamedLane = Pick<LaneCard, 'lane' | 'role' | 'environment' | 'model' | 'server'>;

/** Lanes of which nobody is left would stay for ever. */
function isOfInterest({ workers, waiting, active, failed }: LaneState): boolean {
  return workers + waiting + active + failed > 0;
}

async function knownLanes(redis: Redis, envelopes: Envelopes, now: number): Promise<readonly NamedLane[]> {
  return Object.entries(await redis.hgetall(keyOf.lanes)).flatMap(([name, sealed]) => {
    const opened = envelopes.open(sealed, { kind: 'lane', id: name, now });
    const lane = opened.kind === 'opened' ? Lane.safeParse(parseJson(opened.content.toString('utf8'))) : undefined;
    if (lane?.success !== true || laneName(lane.data) !== name) return [];
    const { role, environment, model } = lane.data;
    const server = ownServer(model);
    const at = server === undefined ? {} : { server };
    return [{ lane: name, role, environment, model: modelName(model), ...at }];
  });
}

async function lookAtLane(
  { redis, envelopes, now }: Looking,
  { lane, role, environment, model, server }: NamedLane,
  workers: readonly WorkerCard[],
): Promise<{ readonly state: LaneState; readonly lost: readonly FailedJob[] }> {
  const queue = new Queue(lane, { connection: redis, prefix });
  queue.on('error', () => undefined);
  try {
    const { wait = 0, active = 0, failed = 0 } = await queue.getJobCounts('wait', 'active', 'failed');
    const lost = await lostIn({ redis, envelopes, now }, { lane, environment, model });
    const cards = workers.flatMap(({ lanes }) => lanes.filter((each) => each.lane === lane));
    const answeredLastMinute = cards.reduce((sum, { lastMinute }) => sum + lastMinute, 0);
    return {
      state: {
        role,
        environment,
        model,
        ...(server === undefined ? {} : { server }),
        workers: cards.length,
        waiting: wait,
        active,
        failed,
        answeredLastMinute,
      },
      lost,
    };
  } finally {
    await queue.close();
  }
}

interface Looking {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
  readonly now: number;
}

/** Jobs that workers lost or refused. Of those that nobody vouches for nothing is shown but how many they are. */
async function lostIn(
  { redis, envelopes, now }: Looking,
  { lane, environment, model }: Pick<NamedLane, 'lane' | 'environment' | 'model'>,
): Promise<readonly FailedJob[]> {
  const ids = await redis.zrevrange(keyOf.failed(lane), 0, mostLooked - 1);
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmget(keyOf.job(lane, id), 'failedReason', 'finishedOn');
  const stored = ((await pipeline.exec()) ?? []).map(([, value]) => StoredLoss.parse(value));
  const jobs = ids.map((id, index) => ({ id, failedReason: stored[index]?.[0] ?? '' }));
  const losses = await lossesOf(redis, envelopes, jobs, now);
  const all = losses.map((loss, index) => ({
    at: timeBefore(Number(stored[index]?.[1]), now),
    job: ids[index] ?? '',
    loss,
  }));
  const vouched = all.filter(({ loss }) => loss.isVouched);
  const others = all.filter(({ loss }) => !loss.isVouched);
  const shown = vouched.slice(0, failuresShown).map(({ at, job, loss }) => {
    const why = withWhatFollows(loss, environment);
    return { at, job: knownId(job), worker: loss.worker ?? 'unknown', model, why };
  });
  const [newest] = others;
  if (newest === undefined) return shown;
  return [...shown, { at: newest.at, job: '', worker: unsignedWorker, model, why: unsignedJobs(others.length) }];
}

/** As many as are kept of a lane. */
const mostLooked = 100;
const unsignedWorker = 'not signed';
const StoredLoss = z.tuple([z.string().nullable(), z.string().nullable()]).catch([null, null]);

function unsignedJobs(count: number): string {
  return count === 1
    ? 'A failed job is not signed: what is said of it is not shown.'
    : `${count} failed jobs are not signed: what is said of them is not shown.`;
}

/** What lies there for a time may be anything. */
function timeBefore(at: number, now: number): number {
  return at > 0 && at <= now ? at : now;
}

/** The name of a job as the coordinator makes it; any other one is somebody's text. */
function knownId(id: string): string {
  return /^[\da-f]{12}\.[\da-f]{64}\.\d+$/u.test(id) ? id : '';
}

/** A refusal is told by the worker and by the queue. */
function distinct(failures: readonly FailedJob[]): readonly FailedJob[] {
  const named = new Map(failures.filter(({ job }) => job !== '').map((failure) => [failure.job, failure]));
  return [...named.values(), ...failures.filter(({ job }) => job === '')];
}
