import { Redis } from 'ioredis';
import { UserError } from '../errors.js';
import type { QueueAddress } from './queueAddress.js';
import { isLastWord, redisTrouble } from './told/redisTrouble.js';

/** Before every key of ours, those that BullMQ makes too. */
export const prefix = 'whetstone';

export const keyOf = {
  /** What a worker said of a job; kept for a while after it was read, in case that whoever read it is killed. */
  result: (jobId: string): string => `${prefix}:result:${jobId}`,
  /** Which worker took a job: no job is taken twice. */
  claim: (jobId: string): string => `${prefix}:claim:${jobId}`,
  /** What a worker says of a job that it refused, or that came to nothing in its hands. */
  loss: (jobId: string): string => `${prefix}:loss:${jobId}`,
  blob: (address: string): string => `${prefix}:blob:${address}`,
  /** Of BullMQ. */
  active: (lane: string): string => `${prefix}:${lane}:active`,
  failed: (lane: string): string => `${prefix}:${lane}:failed`,
  job: (lane: string, jobId: string): string => `${prefix}:${lane}:${jobId}`,
  lock: (lane: string, jobId: string): string => `${prefix}:${lane}:${jobId}:lock`,
  waiting: (lane: string): string => `${prefix}:${lane}:wait`,
  /** By the id of each worker, what it says of itself. */
  workers: `${prefix}:workers`,
  /** By the name of each lane, what it is for. */
  lanes: `${prefix}:lanes`,
};

/** A second connection: for what waits at Redis, and would hold everything else up. BullMQ closes none that it is given. */
export function another(redis: Redis): Redis {
  const duplicate = redis.duplicate();
  duplicate.on('error', () => undefined); // the first one says what is wrong
  return duplicate;
}

/** A connection that comes back by itself. Throws where there is none within `withinMs`, and says why. */
export async function connectRedis(address: QueueAddress, name: string, withinMs = 30_000): Promise<Redis> {
  const { host, port, db, username, password, encrypted } = address;
  const redis = new Redis({
    host,
    port,
    db,
    connectionName: name,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(encrypted ? { tls: {} } : {}),
    maxRetriesPerRequest: null, // as BullMQ wants it: what is under way waits for the connection
    retryStrategy: (times) => Math.min(times * 100, 1_000),
  });
  let why = 'no answer';
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(redisTrouble(address, why));
    redis.on('error', ({ message }: Error) => {
      why = message === '' ? why : message;
      if (isLastWord(why)) fail();
    });
    setTimeout(fail, withinMs).unref();
  });
  try {
    await Promise.race([redis.ping(), late]);
    return redis;
  } catch (error) {
    redis.disconnect();
    throw error instanceof UserError ? error : redisTrouble(address, error instanceof Error ? error.message : why);
  }
}

/** What Redis says where it takes nothing that is written, such as that its memory is full; undefined for other errors. */
export function refusalOf(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const [said] = /^(?:OOM|MISCONF|READONLY|NOREPLICAS)\b[^\n]*?(?=\.|$)/u.exec(message) ?? [];
  return said;
}
