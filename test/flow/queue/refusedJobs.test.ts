import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { withBudget } from '../../../src/models/wrappers/withBudget.js';
import { withRetry } from '../../../src/models/wrappers/withRetry.js';
import { envelopesOf } from '../../../src/queue/envelope.js';
import { laneName } from '../../../src/queue/job.js';
import { keyOf, prefix } from '../../../src/queue/redis.js';
import { sealTold } from '../../../src/queue/told/jobLoss.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { MemoryLedger } from '../../fakes/MemoryLedger.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, queued, secret } from './aQueue.js';

const { signal } = new AbortController();

describe('a job that a worker gives back', () => {
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('costs nothing where the worker does not know what it asks, is asked once, and ends the run with the cure', async () => {
    const model = new ScriptedModel().when('', 'Moored.');
    const worker = await aWorker(redis.url, model);
    const coordinator = await aCoordinator(redis.url);
    const newer = { ...aRequest(), shade: 'something that a later version asks for' };
    const ledger = new MemoryLedger(nodeClock);
    const budget = { ledger, runId: 'run-1', caps: { run: {}, day: {}, month: {} }, price: undefined };
    const target = withBudget(queued(model, coordinator, 'run-1'), budget);
    const patient = withRetry(target, {
      clock: nodeClock,
      random: () => 0,
      onRetry: () => assert.fail('it is asked once'),
    });
    try {
      await assert.rejects(patient.complete(newer, signal), {
        kind: 'endpoint',
        message: /gave a job back, refused as malformed\.$/,
        cure: /^Install the same version of Whetstone on the coordinator and on all workers/,
      });
      assert.deepEqual([model.requests.length, (await ledger.spentInRun('run-1')).calls], [0, 0]);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  // Whoever refuses a copy of it speaks for no other worker; and what nobody signed says nothing.
  for (const [by, signs] of [
    ['another worker than the one that has it', true],
    ['nobody who was given the secret', false],
  ] as const)
    it(`costs its worst case where it is said to be refused by ${by}`, async () => {
      const model = new ScriptedModel({ model: by }).when('', async () => {
        await wait(900);
        return 'Answered.';
      });
      const worker = await aWorker(redis.url, model, { roles: 'target', name: 'harbour' });
      const coordinator = await aCoordinator(redis.url);
      const raw = new Redis(redis.url, { maxRetriesPerRequest: null });
      try {
        const earlier = await raw.keys(keyOf.claim('*'));
        const asked = queued(model, coordinator, 'run-2').complete(aRequest(), signal);
        const refused = assert.rejects(asked, { name: 'ModelError', charged: true, sent: true });
        while (model.requests.length === 0) await wait(10);
        const [claim = ''] = (await raw.keys(keyOf.claim('*'))).filter((key) => !earlier.includes(key));
        const id = claim.slice(keyOf.claim('').length);
        const word = { worker: signs ? 'quay' : 'harbour', why: 'refused as altered', refused: 'altered' } as const;
        const sealing = envelopesOf(signs ? secret : 'what somebody guessed of the secret');
        await raw.set(keyOf.loss(id), sealTold(sealing, { kind: 'loss', id, expiresAt: Date.now() + 60_000 }, word));
        const lane = laneName({ role: 'target', environment: 'chat', model: model.identity });
        const event = ['event', 'failed', 'jobId', id, 'failedReason', 'refused as altered', 'prev', 'active'];
        await raw.xadd(`${prefix}:${lane}:events`, '*', ...event);
        await refused;
      } finally {
        await coordinator.close();
        raw.disconnect();
        await worker.stop();
      }
    });
});
