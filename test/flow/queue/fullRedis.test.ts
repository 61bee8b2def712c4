import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { needRedis, ownRedis, type OwnRedis } from '../../builders/aRedis.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, queued } from './aQueue.js';

const { signal } = new AbortController();
const patient = { lockMs: 120_000 }; // a full Redis takes no word that a worker is still there

describe('a Redis without room', function () {
  this.timeout(60_000);
  let redis: OwnRedis;
  let raw: Redis;
  const holds = (bytes: number): Promise<unknown> => raw.config('SET', 'maxmemory', bytes);

  before(async function () {
    needRedis(this, 'own');
    redis = await ownRedis();
    raw = new Redis(redis.url);
  });
  after(async () => {
    raw?.disconnect();
    await redis?.dispose();
  });

  it('has a worker take no job until there is room, and keep what its call came to, which is paid for once', async () => {
    const model = new ScriptedModel().when('', async () => {
      if (model.requests.length === 1) await holds(1);
      return 'Moored.';
    });
    const told = aLog();
    const worker = await aWorker(redis.url, model, { ...patient, concurrency: 1, tell: told.add });
    const coordinator = await aCoordinator(redis.url, patient);
    try {
      const target = queued(model, coordinator, 'run-full');
      const asking = [1, 2].map((attempt) => target.complete(aRequest({ attempt }), signal));
      assert.match(
        await told.next(),
        /^Redis takes nothing more \(OOM .*\)\. This worker takes no jobs until there is room/,
      );
      assert.equal(model.requests.length, 1);
      await holds(0);
      const replies = await Promise.all(asking);
      assert.deepEqual(
        replies.map(({ text }) => text),
        ['Moored.', 'Moored.'],
      );
      assert.match(await told.next(), /takes jobs\.$/);
      assert.equal(model.requests.length, 2);
    } finally {
      await holds(0);
      await coordinator.close();
      await worker.stop();
    }
  });

  it('ends a run with the cure, before a call is made', async () => {
    const model = new ScriptedModel().when('', 'Moored.');
    const worker = await aWorker(redis.url, model, patient);
    const coordinator = await aCoordinator(redis.url, { ...patient, patienceMs: 1_000 });
    try {
      const target = queued(model, coordinator, 'run-2');
      await target.complete(aRequest({ attempt: 1 }), signal);
      await holds(1);
      await assert.rejects(target.complete(aRequest({ attempt: 2 }), signal), {
        kind: 'endpoint',
        charged: false,
        sent: false,
        message: /takes nothing more: OOM/,
        cure: /maxmemory/,
      });
      assert.equal(model.requests.length, 1);
    } finally {
      await holds(0);
      await coordinator.close();
      await worker.stop();
    }
  });
});

/** What a worker told, line by line. */
function aLog(): { readonly add: (line: string) => void; next(): Promise<string> } {
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  return {
    add: (line) => {
      const first = waiting.shift();
      if (first === undefined) lines.push(line);
      else first(line);
    },
    next: () => {
      const line = lines.shift();
      return line === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(line);
    },
  };
}
