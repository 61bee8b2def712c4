import { open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { hasCode, unlessMissing } from './fileErrors.js';
import { parseJson } from '../../parseJson.js';
import type { ProcessIdentity } from './runningProcess.js';
import type { Clock } from '../../ports/clock.js';

/** Who holds a lock, and for what. */
export interface LockHolder extends ProcessIdentity {
  /** What it does meanwhile, in words for people. */
  readonly what: string;
  readonly since: number;
  /** Sets one acquisition apart from the next by the same process. */
  readonly token: string;
}

/** The newest generation of a lock. `unreadable`: just being written, or cut off while it was. */
export type LockState =
  | { readonly kind: 'none'; readonly generation: 0 }
  | { readonly kind: 'free'; readonly generation: number }
  | { readonly kind: 'held'; readonly generation: number; readonly holder: LockHolder; readonly beatAt: number }
  | { readonly kind: 'unreadable'; readonly generation: number; readonly beatAt: number };

/** One lock: files `<key>.<generation>` in a folder. */
export interface LockName {
  readonly folder: string;
  readonly key: string;
}

const lockFile = z.discriminatedUnion('state', [
  z.object({ format: z.literal('whetstone-lock'), version: z.literal(1), state: z.literal('free') }),
  z.object({
    format: z.literal('whetstone-lock'),
    version: z.literal(1),
    state: z.literal('held'),
    host: z.string(),
    boot: z.string(),
    pid: z.number().int(),
    started: z.string().optional(),
    what: z.string(),
    since: z.number(),
    token: z.string(),
  }),
]);

/** The number of the newest generation; 0 where there was none. */
export async function newestGeneration(name: LockName): Promise<number> {
  return Math.max(0, ...(await generationsOf(name)));
}

/** The newest generation as it is now. */
export async function readLock(name: LockName): Promise<LockState> {
  const generation = await newestGeneration(name);
  if (generation === 0) return { kind: 'none', generation: 0 };
  const file = fileOf(name, generation);
  const found = await unlessMissing(Promise.all([readFile(file, 'utf8'), stat(file)]));
  // Cleared away by a newer generation in this very moment.
  if (found === undefined) return readLock(name);
  const [text, { mtimeMs: beatAt }] = found;
  const body = bodyOf(text);
  if (body === undefined) return { kind: 'unreadable', generation, beatAt };
  if (body.state === 'free') return { kind: 'free', generation };
  return { kind: 'held', generation, beatAt, holder: { ...body, started: body.started } };
}

/** An own generation of a lock, open for its heartbeat. */
export interface OwnGeneration {
  readonly generation: number;
  beat(now: number): Promise<void>;
  markFree(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes the next generation, or gives undefined where somebody else did. Exclusive creation decides who: that is why
 * a lock is taken over by a new generation and never by removing the old one, which two could do after each other.
 */
export async function makeGeneration(
  name: LockName,
  generation: number,
  holder: LockHolder,
): Promise<OwnGeneration | undefined> {
  const handle = await open(fileOf(name, generation), 'wx+', 0o600).catch((error: unknown) => {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  const write = async (body: object): Promise<number> => {
    const text = `${JSON.stringify({ format: 'whetstone-lock', version: 1, ...body })}\n`;
    return (await handle.write(text, 0)).bytesWritten;
  };
  // All of it goes through the handle: once another generation cleared this one away, nobody else's file is touched.
  const own: OwnGeneration = {
    generation,
    beat: (now) => handle.utimes(now / 1000, now / 1000),
    markFree: async () => handle.truncate(await write({ state: 'free' })),
    close: () => handle.close(),
  };
  try {
    await write({ state: 'held', ...holder });
    await own.beat(holder.since);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return own;
}

/** Only for one's own generation, or for those older than the one held. */
export async function removeGeneration(name: LockName, generation: number): Promise<void> {
  await unlessMissing(unlink(fileOf(name, generation)));
}

/** Clears away what is older than the generation held. */
export async function removeOlder(name: LockName, held: number): Promise<void> {
  for (const generation of await generationsOf(name)) {
    if (generation < held) await removeGeneration(name, generation);
  }
}

async function generationsOf({ folder, key }: LockName): Promise<readonly number[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  return names
    .filter((name) => name.startsWith(`${key}.`))
    .map((name) => Number(name.slice(key.length + 1)))
    .filter((generation) => Number.isSafeInteger(generation) && generation > 0);
}

function fileOf({ folder, key }: LockName, generation: number): string {
  return path.join(folder, `${key}.${generation}`);
}

function bodyOf(text: string): z.output<typeof lockFile> | undefined {
  return lockFile.safeParse(parseJson(text)).data;
}

/** Whose life is shown, how often, and how its loss is noticed. */
interface Heartbeat {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly own: Pick<OwnGeneration, 'beat'>;
  readonly isHeld: () => Promise<boolean>;
}

/**
 * Shows that the holder lives until it is stopped or the lock is lost. The returned function stops it and resolves
 * when no beat is under way any more: with true the first time, with false from then on.
 */
export function keepBeating(heartbeat: Heartbeat): () => Promise<boolean> {
  const stopped = new AbortController();
  const beating = beat(heartbeat, stopped.signal);
  return async () => {
    const first = !stopped.signal.aborted;
    stopped.abort();
    await beating;
    return first;
  };
}

async function beat({ clock, everyMs, own, isHeld }: Heartbeat, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      await clock.sleep(everyMs, stopped);
    } catch {
      return;
    }
    try {
      await own.beat(clock.now());
      if (!(await isHeld())) return;
    } catch {
      // A disk that hiccups is no reason to end the process; the next beat tries again.
    }
  }
}
