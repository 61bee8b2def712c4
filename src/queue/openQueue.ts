import { hostname } from 'node:os';
import process from 'node:process';
import { UserError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { LanguageModel } from '../ports/languageModel.js';
import { Coordinator, usualSettings, type QueueSettings } from './coordinator.js';
import { envelopesOf } from './envelope.js';
import { queuedEnvironments, queuedRoles, type QueuedRole } from './job.js';
import { lookAtQueue, type QueueState } from './lookAtQueue.js';
import { serveMetrics } from './metrics.js';
import { readQueueAddress } from './queueAddress.js';
import { readQueueSecret } from './queueSecret.js';
import { connectRedis } from './redis.js';
import { startWorker } from './worker.js';
import type { WorkerCard } from './workerCard.js';

/** How a person names a queue: its address and the file of its secret; what is missing is in the environment. */
export interface NamedQueue {
  readonly queue: string;
  readonly secretFile?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
}

async function openParts(named: NamedQueue, name: string) {
  const address = readQueueAddress(named.queue);
  const { environment, platform, secretFile: file } = named;
  const envelopes = envelopesOf(await readQueueSecret({ file, environment, platform }));
  return { redis: await connectRedis(address, name), envelopes, clock: named.clock, shown: address.shown };
}

/** The machine that asks. */
export async function openCoordinator(named: NamedQueue, settings: Partial<QueueSettings> = {}): Promise<Coordinator> {
  const parts = await openParts(named, 'whetstone');
  return new Coordinator({ ...parts, settings: { ...usualSettings, ...settings } });
}

export interface WorkerWishes extends NamedQueue {
  readonly models: Readonly<Record<QueuedRole, LanguageModel>>;
  readonly concurrency: number;
  /** `target,judge` and `chat,agent`, as typed. */
  readonly roles: string;
  readonly environments: string;
  readonly lockMs?: number | undefined;
  readonly metrics?: string | undefined;
  readonly name?: string | undefined;
}

/** A machine that answers, until the signal is aborted; `began` is told what it serves. */
export async function runWorker(
  wishes: WorkerWishes,
  began: (card: WorkerCard) => void,
  signal: AbortSignal,
): Promise<void> {
  const { models, concurrency, lockMs = usualSettings.lockMs, name = `${hostname()}:${process.pid}` } = wishes;
  const roles = readNames('--roles', wishes.roles, queuedRoles);
  const environments = readNames('--environments', wishes.environments, queuedEnvironments);
  const parts = await openParts(wishes, `whetstone-worker ${name}`.replaceAll(/\s/g, '-'));
  const worker = await startWorker({ ...parts, models, roles, environments, concurrency, lockMs, name });
  const metrics = wishes.metrics === undefined ? undefined : await serveMetrics(wishes.metrics, () => worker.card());
  try {
    began(worker.card());
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    metrics?.close();
    await worker.close();
  }
}

function readNames<Name extends string>(option: string, text: string, known: readonly Name[]): readonly Name[] {
  const words = text.split(',').map((word) => word.trim());
  const found = known.filter((name) => words.includes(name));
  if (found.length === words.length) return found;
  throw new UserError('usage', `${option} takes ${known.join(', ')}, not “${text}”.`, 'Separate several by commas.');
}

/** Who is at work, and on what. */
export async function lookAt(wanted: NamedQueue): Promise<QueueState> {
  const { redis, envelopes, clock } = await openParts(wanted, 'whetstone-look');
  try {
    return await lookAtQueue(redis, envelopes, clock.now());
  } finally {
    redis.disconnect();
  }
}
