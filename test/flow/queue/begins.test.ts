import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Redis } from 'ioredis';
import { lookAt, runWorker } from '../../../src/queue/openQueue.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';
import { freePort, needRedis, ownRedis, type OwnRedis } from '../../builders/aRedis.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aWorker, namedQueue } from './aQueue.js';

describe('a worker that cannot begin', () => {
  let redis: OwnRedis;
  let raw: Redis;
  let taken: Server;
  let port = 0;

  before(async function () {
    needRedis(this, 'own');
    redis = await ownRedis();
    raw = new Redis(redis.url);
    port = await freePort();
    taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
  });
  after(async () => {
    taken?.close();
    raw?.disconnect();
    await redis?.dispose();
  });

  /** Of workers, as Redis sees them. */
  async function connections(): Promise<number> {
    const all = String(await raw.client('LIST')).split('\n');
    return all.filter((line) => line.includes('name=whetstone-worker')).length;
  }

  async function untilNone(): Promise<void> {
    while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('says which port its figures cannot have, and is on the queue at no time', async () => {
    const model = createSimulatedModel();
    const cure = 'Name another port, or end what uses this one.';
    const message = new RegExp(`served at 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`);
    await assert.rejects(aWorker(redis.url, model, { metrics: String(port) }), { code: 'usage', message, cure });
    await assert.rejects(aWorker(redis.url, model, { metrics: 'harbour' }), { message: /takes a port/ });
    assert.equal(await connections(), 0);
    assert.deepEqual((await lookAt(namedQueue(redis.url))).workers, []);
  });

  it('leaves Redis where it may not say what it serves', async () => {
    await raw.acl('SETUSER', 'reader', 'on', '>harbour', '~*', '&*', '+@all', '-hset');
    const url = redis.url.replace('redis://', 'redis://reader:harbour@');
    await assert.rejects(aWorker(url, createSimulatedModel()), /NOPERM/);
    await untilNone();
  });

  it('ends what it began where whoever started it is told no more', async () => {
    const model = createSimulatedModel();
    const wishes = { models: { target: model, judge: model }, concurrency: 1, roles: 'target', environments: 'chat' };
    const figures = await freePort();
    const { signal } = new AbortController();
    const run = runWorker({ ...namedQueue(redis.url), ...wishes, metrics: String(figures) }, unheard, signal);
    await assert.rejects(run, /nobody listens/);
    await untilNone();
    await assert.rejects(fetch(`http://127.0.0.1:${figures}/metrics`));
  });

  for (const [what, choice, why] of [
    ['an agent where its model is none', { environments: 'agent' }, /scripted\/scripted-1 is no agent program/],
    ['an agent without the role target', { environments: 'agent', roles: 'judge' }, /need the role target/],
    [
      'programs without a sandbox',
      { environments: 'program', programs: { why: 'There is no sandbox.' } },
      /There is no sandbox/,
    ],
    ['programs as the target', { environments: 'program', roles: 'target' }, /need the role judge/],
  ] as const)
    it(`is refused with the reason, before anything is reached, where it would take no job: ${what}`, async () => {
      const nowhere = 'redis://localhost:1';
      await assert.rejects(aWorker(nowhere, new ScriptedModel(), choice), {
        code: 'usage',
        message: why,
        cure: /Add chat to --environments/,
      });
    });
});

function unheard(): never {
  throw new Error('nobody listens');
}
