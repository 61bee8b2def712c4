import type { Redis } from 'ioredis';
import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import type { Envelopes } from './envelope.js';
import { queuedEnvironments, queuedRoles } from './job.js';
import { keyOf } from './redis.js';

const count = z.number();

/** What a worker does in one lane. */
const LaneCard = z.object({
  lane: z.string(),
  role: z.enum(queuedRoles),
  environment: z.enum(queuedEnvironments),
  model: z.string(),
  active: count,
  answered: count,
  failed: count,
  /** Jobs that ended within the last minute. */
  lastMinute: count,
  /** What all that ended took. */
  ms: count,
});

/** What a worker says of itself every few seconds: who is there is known by it, and what they did. */
const WorkerCard = z.object({
  id: z.string(),
  name: z.string(),
  startedAt: count,
  at: count,
  concurrency: count,
  lanes: z.array(LaneCard),
  /** How many jobs it refused, by reason. */
  refused: z.record(z.string(), count),
  /** The last jobs that failed or were refused here. */
  failures: z.array(z.object({ at: count, job: z.string(), lane: z.string(), why: z.string() })),
});
export type WorkerCard = z.infer<typeof WorkerCard>;
export type LaneCard = z.infer<typeof LaneCard>;

/** How often a worker says that it is there, and after how long it counts as gone. */
export const beatMs = 2_000;
const goneAfterMs = 3 * beatMs + 1_000;

export async function showCard(redis: Redis, envelopes: Envelopes, card: WorkerCard): Promise<void> {
  const label = { kind: 'worker', id: card.id, runId: '', expiresAt: card.at + goneAfterMs } as const;
  await redis.hset(keyOf.workers, card.id, envelopes.seal(label, JSON.stringify(card)));
}

export async function withdrawCard(redis: Redis, id: string): Promise<void> {
  await redis.hdel(keyOf.workers, id);
}

/** The workers that are there now. A card that somebody without the secret laid there is none. */
export async function readCards(redis: Redis, envelopes: Envelopes, now: number): Promise<readonly WorkerCard[]> {
  const all = Object.entries(await redis.hgetall(keyOf.workers));
  const read = all.map(([id, sealed]) => {
    const opened = envelopes.open(sealed, { kind: 'worker', id, now });
    const card =
      opened.kind === 'opened' ? WorkerCard.safeParse(parseJson(opened.content.toString('utf8'))) : undefined;
    return { id, card: card?.success === true && now - card.data.at < goneAfterMs ? card.data : undefined };
  });
  const gone = read.filter(({ card }) => card === undefined).map(({ id }) => id);
  if (gone.length > mostGone) await redis.hdel(keyOf.workers, ...gone);
  return read.flatMap(({ card }) => card ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Workers that were killed leave theirs behind. */
const mostGone = 100;
