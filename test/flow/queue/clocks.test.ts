import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import type { Clock } from '../../../src/ports/clock.js';
import { envelopesOf } from '../../../src/queue/envelope.js';
import { lookAt } from '../../../src/queue/openQueue.js';
import { keyOf } from '../../../src/queue/redis.js';
import { readCards } from '../../../src/queue/workerCard.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, namedQueue, queued, secret } from './aQueue.js';

const { signal } = new AbortController();

describe('machines on a queue whose clocks differ', function () {
  this.timeout(30_000);
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  for (const seconds of [-50, 50])
    it(`see each other where a worker's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`, async () => {
      const model = new ScriptedModel({ model: `at${seconds}` }).when('', 'Moored.');
      const worker = await aWorker(redis.url, model, { clock: aClockOff(seconds), lockMs: 30_000 });
      const coordinator = await aCoordinator(redis.url, { patienceMs: 5_000, lockMs: 30_000 });
      try {
        assert.equal((await queued(model, coordinator, 'run-1').complete(aRequest(), signal)).text, 'Moored.');
        const { workers } = await lookAt(namedQueue(redis.url));
        assert.deepEqual(
          workers.map(({ name }) => name),
          [worker.card.name],
        );
      } finally {
        await coordinator.close();
        await worker.stop();
      }
    });

  it('are told to set them where a worker is more than a minute behind, which is no lack of workers', async () => {
    const model = new ScriptedModel();
    const worker = await aWorker(redis.url, model, { clock: aClockOff(-120), lockMs: 30_000 });
    const coordinator = await aCoordinator(redis.url, { patienceMs: 300, lockMs: 30_000 });
    try {
      await assert.rejects(coordinator.reach(model.identity, 'target', signal), {
        message: /; 1 are there whose clock is more than a minute behind the one of this machine\.$/,
        cure: /^Set the clocks of all machines;/,
        sent: false,
      });
      const state = await lookAt(namedQueue(redis.url));
      assert.deepEqual([state.workers, state.otherClock], [[], 1]);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('book nothing for a job that a worker far ahead takes for expired, and end the run with what mends it', async () => {
    const model = new ScriptedModel({ model: 'far ahead' }).when('', 'Moored.');
    const worker = await aWorker(redis.url, model, { clock: aClockOff(32 * 60), lockMs: 30_000 });
    const coordinator = await aCoordinator(redis.url, { lockMs: 30_000 });
    try {
      await assert.rejects(queued(model, coordinator, 'run-2').complete(aRequest(), signal), {
        ...unsent,
        kind: 'endpoint',
        message: `The worker ${worker.card.name} gave a job back, refused as expired.`,
        cure: /clock is ahead: set the clocks/,
      });
      assert.equal(model.requests.length, 0);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('count a worker as gone that has said nothing for a while by the clock of Redis, whatever its own says', async () => {
    const worker = await aWorker(redis.url, new ScriptedModel());
    const raw = new Redis(redis.url);
    const envelopes = envelopesOf(secret);
    try {
      const [seconds] = await raw.time();
      const seen = async (silentMs: number): Promise<number> => {
        const card = {
          ...worker.card,
          id: 'other',
          at: Date.now() + 50_000,
          shownAt: Number(seconds) * 1_000 - silentMs,
        };
        const label = { kind: 'worker', id: card.id, runId: '', expiresAt: card.at } as const;
        await raw.hset(keyOf.workers, card.id, envelopes.seal(label, JSON.stringify(card)));
        return (await readCards(raw, envelopes, Date.now())).filter(({ id }) => id === card.id).length;
      };
      assert.deepEqual([await seen(0), await seen(30_000)], [1, 0]);
    } finally {
      raw.disconnect();
      await worker.stop();
    }
  });
});

const unsent = { charged: false, sent: false };

function aClockOff(seconds: number): Clock {
  return { ...nodeClock, now: () => nodeClock.now() + seconds * 1_000 };
}
