import type { Redis } from 'ioredis';
import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import { keyOf } from '../redis.js';

/**
 * Takes jobs away that BullMQ cannot read: it gives such a one to no worker, and would hold it as under way for ever. Tells
 * which it took; of several workers that look at the same time one does.
 */
export async function removeBroken(redis: Redis, lane: string): Promise<readonly string[]> {
  const ids = await redis.lrange(keyOf.active(lane), 0, -1);
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmget(keyOf.job(lane, id), 'data', 'opts');
  const stored = (await pipeline.exec()) ?? [];
  const broken = ids.filter((_, index) => isBroken(stored[index]?.[1]));
  const taken = await Promise.all(
    broken.map(async (id) => {
      const removed = await redis.lrem(keyOf.active(lane), 0, id);
      await redis.del(keyOf.job(lane, id), keyOf.lock(lane, id));
      return removed > 0 ? [id] : [];
    }),
  );
  return taken.flat();
}

const Stored = z.tuple([z.string().nullable(), z.string().nullable()]);

function isBroken(value: unknown): boolean {
  const read = Stored.safeParse(value);
  if (!read.success) return false;
  const [data, options] = read.data;
  if (data === null && options === null) return false; // it has just ended
  return parseJson(data || '{}') === undefined || (parseJson(options || '{}') ?? undefined) === undefined;
}
