import process from 'node:process';
import { hostname } from 'node:os';
import { UserError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { QueueState } from '../ports/queueState.js';
import { serveBridge, type BridgeStreams } from './bridge/serveBridge.js';
import { Coordinator, usualSettings, type QueueSettings } from './coordinator.js';
import { envelopesOf } from './envelope.js';
import { queuedEnvironments, queuedRoles, type QueuedRole } from './job.js';
import { lookAtQueue } from './lookAtQueue.js';
import { serveMetrics } from './metrics.js';
import { readQueueAddress } from './queueAddress.js';
import { readQueueSecret } from './queueSecret.js';
import { connectRedis } from './redis.js';
import {
  startWorker,
  type RunningWorker,
  type WorkerParts,
  programsOnCard,
  servedLanes,
  type WorkerOffer,
} from './worker.js';
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
  /** `target,judge` and `chat,agent,program`, as typed. */
  readonly roles: string;
  readonly environments: string;
  readonly programs?: WorkerParts['programs'];
  readonly lockMs?: number | undefined;
  readonly metrics?: string | undefined;
  readonly name?: string | undefined;
  /** Told what whoever runs it is to know, as whole sentences. */
  readonly tell?: ((line: string) => void) | undefined;
}

/**
 * A machine that answers, until the signal is aborted; `began` is told what it serves. Where it cannot begin nothing of
 * it is left open: what hangs on to a connection would take jobs though its person was told that it failed.
 */
export async function runWorker(
  wishes: WorkerWishes,
  began: (card: WorkerCard) => void,
  signal: AbortSignal,
): Promise<void> {
  const { models, programs, concurrency, lockMs = usualSettings.lockMs, tell = () => undefined } = wishes;
  const name = wishes.name ?? `${hostname()}:${process.pid}`;
  const roles = readNames('--roles', wishes.roles, queuedRoles);
  const environments = readNames('--environments', wishes.environments, queuedEnvironments);
  const offer = { models, roles, environments, programs };
  refuseIdle(offer);
  let worker: RunningWorker | undefined;
  const metrics = wishes.metrics === undefined ? undefined : await serveMetrics(wishes.metrics, () => worker?.card());
  try {
    const parts = await openParts(wishes, `whetstone-worker ${name}`.replaceAll(/\s/g, '-'));
    worker = await startWorker({ ...parts, ...offer, concurrency, lockMs, name, tell });
    began(worker.card());
    await untilAborted(signal);
  } finally {
    metrics?.close();
    if (worker !== undefined) tellWhatEnds(worker.card(), tell);
    await worker?.close();
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Whoever ends a worker sees why it is still there. */
function tellWhatEnds({ lanes }: WorkerCard, tell: (line: string) => void): void {
  const active = lanes.reduce((sum, lane) => sum + lane.active, 0);
  if (active === 0) return tell('Nothing is under way: the worker ends.');
  const jobs = active === 1 ? 'One job is' : `${active} jobs are`;
  tell(
    `${jobs} under way: it takes no more, and ends when they have ended. Ctrl+C again ends it at once; what is under way is then paid for and asked again.`,
  );
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

/** Carries the calls of a window to a queue, for as long as the window listens. */
export async function serveWindow(
  named: NamedQueue,
  { version, ...streams }: BridgeStreams & { readonly version: string },
  signal: AbortSignal,
): Promise<void> {
  const parts = await openParts(named, 'whetstone-window');
  const { redis, envelopes, clock, shown } = parts;
  const runner = new Coordinator({ ...parts, settings: usualSettings });
  const look = (): Promise<QueueState> => lookAtQueue(redis, envelopes, clock.now());
  try {
    await serveBridge({ runner, look, shown, version }, streams, signal);
  } finally {
    await runner.close();
  }
}

/** A worker that would take no job is a mistake of whoever starts it, and waiting does not show it. */
function refuseIdle(offer: WorkerOffer): void {
  const served = servedLanes(offer);
  if (served.length > 0) return;
  const { noPrograms } = programsOnCard(offer, served);
  const reasons = [...noAgents(offer), ...(noPrograms === undefined ? [] : [noPrograms])];
  throw new UserError(
    'usage',
    ['This worker would take no job.', ...reasons].join(' '),
    'Add chat to --environments for answers to prompts, or give what is missing: an agent program as the model (--model claude-code), --roles target for agents, --roles judge and a list with programs (--programs) for programs.',
  );
}

function noAgents({ environments, roles, models }: WorkerOffer): readonly string[] {
  if (!environments.includes('agent')) return [];
  if (!roles.includes('target')) return ['Agents at work need the role target.'];
  const { provider, model } = models.target.identity;
  return [`${provider}/${model} is no agent program and cannot work in a folder.`];
}
