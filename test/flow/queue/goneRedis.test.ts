import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { envelopesOf } from '../../../src/queue/envelope.js';
import { readCards } from '../../../src/queue/workerCard.js';
import { needRedis, ownRedis, type OwnRedis } from '../../builders/aRedis.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, queued, secret } from './aQueue.js';

const { signal } = new AbortController();
const patienceMs = 2_000;
const mendedBy = /See that Redis runs there, then resume the run/;

describe('a Redis that is gone and stays so', function () {
  this.timeout(60_000);
  let redis: OwnRedis;

  before(async function () {
    needRedis(this, 'own');
    redis = await ownRedis();
  });
  after(() => redis?.dispose());

  it('ends what was asked with the cure: calls under way are booked, for they may have been made, and later ones are none', async () => {
    const stopped = new AbortController();
    const model = new ScriptedModel().when('', async () => {
      await wait(120_000, undefined, { signal: stopped.signal }).catch(() => undefined);
      return 'Too late.';
    });
    const worker = await aWorker(redis.url, model, { concurrency: 2 });
    const coordinator = await aCoordinator(redis.url, { patienceMs });
    const target = queued(model, coordinator, 'run-gone');
    const ask = (attempt: number): Promise<unknown> => target.complete(aRequest({ attempt }), signal);
    const gone = { kind: 'endpoint', message: /The queue at .* is gone/, cure: mendedBy };
    try {
      const ended = [1, 2, 3].map((attempt) => assert.rejects(ask(attempt), { ...gone, charged: true, sent: true }));
      while (model.requests.length < 2) await wait(20);
      await redis.kill();
      await Promise.all(ended);
      await assert.rejects(ask(4), { ...gone, charged: false, sent: false });
      await coordinator.close();
    } finally {
      stopped.abort();
      await redis.start();
      await isBack(redis.url, Date.now()); // it ends once it has its connections again
      await worker.stop();
    }
  });
});

/** Waits until a worker has said something of itself since. */
async function isBack(url: string, since: number): Promise<void> {
  const raw = new Redis(url);
  const envelopes = envelopesOf(secret);
  while (!(await readCards(raw, envelopes, Date.now())).some(({ at }) => at > since)) await wait(50);
  raw.disconnect();
}
