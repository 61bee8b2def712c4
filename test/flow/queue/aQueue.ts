import type { QueueSettings } from '../../../src/queue/coordinator.js';
import type { Coordinator } from '../../../src/queue/coordinator.js';
import { openCoordinator, runWorker } from '../../../src/queue/openQueue.js';
import { withRunner } from '../../../src/models/wrappers/withRunner.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import type { WorkerParts } from '../../../src/queue/worker.js';
import type { WorkerCard } from '../../../src/queue/workerCard.js';

export const secret = 'the secret that both sides of the tests were given';

/** As `--queue` and the environment name it. */
export function namedQueue(queue: string) {
  const environment = { WHETSTONE_QUEUE_SECRET: secret };
  return { queue, environment, platform: process.platform, clock: nodeClock };
}

/** Short locks, so that what is lost is found soon. */
export const shortSettings: Partial<QueueSettings> = { lockMs: 2_000, patienceMs: 20_000 };

export function aCoordinator(url: string, settings: Partial<QueueSettings> = {}): Promise<Coordinator> {
  return openCoordinator(namedQueue(url), { ...shortSettings, ...settings });
}

/** A model whose calls are made on the queue. */
export function queued(model: LanguageModel, runner: Coordinator, runId: string): LanguageModel {
  return withRunner(model, { runner, runId });
}

export interface TestWorker {
  readonly card: WorkerCard;
  stop(): Promise<void>;
}

interface WorkerChoice {
  readonly concurrency?: number;
  readonly roles?: string;
  readonly environments?: string;
  readonly metrics?: string;
  readonly lockMs?: number;
  readonly clock?: Clock;
  readonly tell?: (line: string) => void;
  readonly name?: string;
  readonly programs?: WorkerParts['programs'];
}

/** A worker in this process. */
export async function aWorker(url: string, model: LanguageModel, choice: WorkerChoice = {}): Promise<TestWorker> {
  const { concurrency = 2, roles = 'target,judge', environments = 'chat,agent', ...more } = choice;
  const stop = new AbortController();
  const wishes = { ...namedQueue(url), models: { target: model, judge: model }, concurrency, roles, environments };
  let over: Promise<void> = Promise.resolve();
  const card = await new Promise<WorkerCard>((resolve, reject) => {
    over = runWorker({ ...wishes, lockMs: 2_000, ...more }, resolve, stop.signal);
    over.catch(reject);
  });
  return {
    card,
    stop: async () => {
      stop.abort();
      await over;
    },
  };
}

/** What waits for it goes on once it is open. */
export function aGate(): { readonly opened: Promise<void>; open(): void } {
  let open = nothing;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const nothing = (): void => undefined;
