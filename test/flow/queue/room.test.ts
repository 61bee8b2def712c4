import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { laneName } from '../../../src/queue/job.js';
import { keyOf } from '../../../src/queue/redis.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, queued } from './aQueue.js';

const { signal } = new AbortController();
const patient = { lockMs: 30_000 }; // nothing is lost here, however busy the machine is
const aModel = (name: string): ScriptedModel => new ScriptedModel({ model: name }).when('', 'Moored.');

describe('more calls than a queue holds', function () {
  this.timeout(60_000);
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('are all made, 300 of them at once, and no more wait in the queue than may', async () => {
    const model = aModel('many');
    const worker = await aWorker(redis.url, model, { ...patient, concurrency: 16 });
    const coordinator = await aCoordinator(redis.url, patient);
    const watched = watchLength(redis.url, model);
    try {
      const target = queued(model, coordinator, 'run-300');
      await askAll(target, 300);
    } finally {
      const longest = await watched.longest();
      await coordinator.close();
      await worker.stop();
      assert.ok(longest <= 256 + 16, 'a look and a job on its way in may cross');
    }
  });

  it('are made of two runs at the same time: those of one that wait for room keep the other out of none', async () => {
    const model = aModel('shared');
    const worker = await aWorker(redis.url, model, { ...patient, concurrency: 2 });
    const settings = { ...patient, mostWaiting: 8 };
    const coordinators = [await aCoordinator(redis.url, settings), await aCoordinator(redis.url, settings)];
    try {
      await Promise.all(
        coordinators.map((coordinator, index) => askAll(queued(model, coordinator, `run-of-${index}`), 24)),
      );
    } finally {
      await Promise.all(coordinators.map((coordinator) => coordinator.close()));
      await worker.stop();
    }
  });
});

async function askAll(target: ReturnType<typeof queued>, count: number): Promise<void> {
  const attempts = Array.from({ length: count }, (_, attempt) => attempt);
  await Promise.all(attempts.map((attempt) => target.complete(aRequest({ attempt }), signal)));
}

/** Looks all the time how many jobs wait. */
function watchLength(url: string, model: ScriptedModel): { longest(): Promise<number> } {
  const raw = new Redis(url);
  const lane = laneName({ role: 'target', environment: 'chat', model: model.identity });
  let longest = 0;
  const over = new AbortController();
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      longest = Math.max(longest, await raw.llen(keyOf.waiting(lane)));
      await wait(5);
    }
  };
  const looking = look();
  return {
    longest: async () => {
      over.abort();
      await looking;
      raw.disconnect();
      return longest;
    },
  };
}
