import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { FailedJob, LaneState, QueueState } from '../ports/queueState.js';
import type { Envelopes } from './envelope.js';
import { laneName, queuedEnvironments, queuedRoles } from './job.js';
import { keyOf, prefix } from './redis.js';
import { readCards, type WorkerCard } from './workerCard.js';

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
  const workers = await readCards(redis, envelopes, now);
  const known = await knownLanes(redis, envelopes, now);
  const fromCards = workers.flatMap(({ lanes }) => lanes);
  const all = new Map([...fromCards, ...known].map((lane) => [lane.lane, lane]));
  const looked = await Promise.all([...all.values()].map((lane) => lookAtLane(redis, lane, workers)));
  const told = workers.flatMap(({ name, failures }) =>
    failures.map(({ lane, ...failure }) => ({ ...failure, worker: name, model: all.get(lane)?.model ?? '' })),
  );
  const failures = [...looked.flatMap(({ lost }) => lost), ...told].sort((a, b) => a.at - b.at).slice(-failuresShown);
  return {
    workers,
    lanes: looked.map(({ state }) => state).filter((state) => isOfInterest(state)),
    failures: distinct(failures),
  };
}

const failuresShown = 20;

type NamedLane = Pick<LaneState, 'role' | 'environment' | 'model'> & { readonly lane: string };

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
    return [{ lane: name, role, environment, model: `${model.provider}/${model.model}` }];
  });
}

async function lookAtLane(
  redis: Redis,
  { lane, role, environment, model }: NamedLane,
  workers: readonly WorkerCard[],
): Promise<{ readonly state: LaneState; readonly lost: readonly FailedJob[] }> {
  const queue = new Queue(lane, { connection: redis, prefix });
  queue.on('error', () => undefined);
  try {
    const { wait = 0, active = 0, failed = 0 } = await queue.getJobCounts('wait', 'active', 'failed');
    const lost = await queue.getFailed(0, failuresShown);
    const cards = workers.flatMap(({ lanes }) => lanes.filter((each) => each.lane === lane));
    const answeredLastMinute = cards.reduce((sum, { lastMinute }) => sum + lastMinute, 0);
    return {
      state: { role, environment, model, workers: cards.length, waiting: wait, active, failed, answeredLastMinute },
      lost: lost.map(({ id = '', finishedOn = 0, processedBy = 'unknown', failedReason }) => ({
        at: finishedOn,
        job: id,
        worker: processedBy,
        model,
        why: failedReason,
      })),
    };
  } finally {
    await queue.close();
  }
}

/** A refusal is told by the worker and by the queue. */
function distinct(failures: readonly FailedJob[]): readonly FailedJob[] {
  return [...new Map(failures.map((failure) => [failure.job, failure])).values()];
}
