import type { Redis } from 'ioredis';
import * as z from 'zod';
import { parseJson } from '../parseJson.js';
import { saidExpiry, type Envelopes, type OpenedEnvelope } from './envelope.js';
import { queuedEnvironments, queuedRoles } from './job.js';
import { keyOf } from './redis.js';

const count = z.number();

/** What a worker does in one lane. */
const LaneCard = z.object({
  lane: z.string(),
  role: z.enum(queuedRoles),
  environment: z.enum(queuedEnvironments),
  model: z.string(),
  /** Where that is, for a server of the person's own. */
  server: z.string().exactOptional(),
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
  /** The same moment by the clock of Redis: those of two machines may differ. Missing where the worker is an older one. */
  shownAt: count.exactOptional(),
  concurrency: count,
  lanes: z.array(LaneCard),
  /** The programs that it may run, by their hashes; missing where it takes none. */
  programs: z.array(z.string()).exactOptional(),
  /** Why it takes no programs though it was started for them. */
  noPrograms: z.string().exactOptional(),
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
  const told = { ...card, shownAt: timeOf(await redis.time()) };
  await redis.hset(keyOf.workers, card.id, envelopes.seal(label, JSON.stringify(told)));
}

/** In milliseconds since 1970; Redis tells seconds, and microseconds beyond them. */
function timeOf(told: unknown): number {
  const [seconds, microseconds] = z.tuple([z.coerce.number(), z.coerce.number()]).parse(told);
  return seconds * 1_000 + Math.floor(microseconds / 1_000);
}

export async function withdrawCard(redis: Redis, id: string): Promise<void> {
  await redis.hdel(keyOf.workers, id);
}

/** The workers that are there now. A card that somebody without the secret laid there is none. */
export async function readCards(redis: Redis, envelopes: Envelopes, now: number): Promise<readonly WorkerCard[]> {
  return (await readWorkers(redis, envelopes, now)).cards;
}

export interface WorkersThere {
  readonly cards: readonly WorkerCard[];
  /** How many say that they are there and were given another secret, or none: nothing else of what they say is believed. */
  readonly otherSecret: number;
  /** How many have just said that they are there, and by the clock of this machine it is long past. */
  readonly otherClock: number;
}

export async function readWorkers(redis: Redis, envelopes: Envelopes, now: number): Promise<WorkersThere> {
  const [told, time] = await Promise.all([redis.hgetall(keyOf.workers), redis.time()]);
  const redisNow = timeOf(time);
  const all = Object.entries(told);
  const read = all.map(([id, sealed]) => {
    const opened = envelopes.open(sealed, { kind: 'worker', id, now });
    const card = cardIn(opened);
    const isLate = opened.kind === 'refused' && opened.why === 'expired';
    const late = isLate ? cardIn(envelopes.open(sealed, { kind: 'worker', id, now: 0 })) : undefined;
    const isOthers = opened.kind === 'refused' && opened.why === 'altered' && saidExpiry(sealed) > now;
    return {
      id,
      isOthers,
      isOtherClock: late?.shownAt !== undefined && silentMs(late, { now, redisNow }) < goneAfterMs,
      card: card !== undefined && silentMs(card, { now, redisNow }) < goneAfterMs ? card : undefined,
    };
  });
  const gone = read.filter(({ card }) => card === undefined).map(({ id }) => id);
  if (gone.length > mostGone) await redis.hdel(keyOf.workers, ...gone);
  const cards = read.flatMap(({ card }) => card ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
  const numberOf = (are: 'isOthers' | 'isOtherClock'): number => read.filter((each) => each[are]).length;
  return { cards, otherSecret: numberOf('isOthers'), otherClock: numberOf('isOtherClock') };
}

function cardIn(opened: OpenedEnvelope): WorkerCard | undefined {
  if (opened.kind === 'refused') return undefined;
  return WorkerCard.safeParse(parseJson(opened.content.toString('utf8'))).data;
}

function silentMs({ at, shownAt }: WorkerCard, clocks: { readonly now: number; readonly redisNow: number }): number {
  return shownAt === undefined ? clocks.now - at : clocks.redisNow - shownAt;
}

/** Workers that were killed leave theirs behind. */
const mostGone = 100;
