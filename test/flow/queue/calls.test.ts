import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { ModelError } from '../../../src/errors.js';
import { FailedCall, RefusedForm } from '../../../src/models/wrappers/failedCall.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import { lookAt } from '../../../src/queue/openQueue.js';
import { aRedis, needRedis, redisAt, type TestRedis } from '../../builders/aRedis.js';
import { aReply, aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aWorker, namedQueue, queued } from './aQueue.js';

const { signal } = new AbortController();

describe('calls over a queue', () => {
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('are made once each by whichever worker is free, and told by what they came to', async () => {
    const model = new ScriptedModel()
      .when('fail', () => new FailedCall('malformed', 'Of no use.', { charged: true }))
      .when('', ({ attempt }) => `Answer ${attempt}.`);
    const workers = [await aWorker(redis.url, model, { name: 'w1' }), await aWorker(redis.url, model, { name: 'w2' })];
    const coordinator = await aCoordinator(redis.url);
    try {
      const target = queued(model, coordinator, 'run-1');
      const attempts = Array.from({ length: 20 }, (_, attempt) => attempt);
      const replies = await Promise.all(attempts.map((attempt) => target.complete(aRequest({ attempt }), signal)));
      assert.deepEqual(
        replies.map(({ text }) => text),
        attempts.map((attempt) => `Answer ${attempt}.`),
      );
      assert.equal(model.requests.length, 20);
      await assert.rejects(
        target.complete(aRequest({ messages: [{ role: 'user', content: 'fail' }] }), signal),
        (error: unknown) =>
          error instanceof ModelError && error.kind === 'malformed' && /\(worker w[12]\)/.test(error.message),
      );
      const { workers: seen, lanes, failures } = await lookAt(namedQueue(redis.url));
      assert.deepEqual(
        seen.map(({ name }) => name),
        ['w1', 'w2'],
      );
      assert.ok(lanes.some(({ role, workers: count }) => role === 'target' && count === 2));
      assert.ok(failures.length <= 1);
    } finally {
      await coordinator.close();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });

  it('asks again under the next number, and takes what an earlier process of the run was answered', async () => {
    let asked = 0;
    const model = new ScriptedModel().when('', () => `Answer ${(asked += 1)}.`);
    const worker = await aWorker(redis.url, model);
    const [first, resumed] = [await aCoordinator(redis.url), await aCoordinator(redis.url)];
    try {
      const ask = (coordinator: typeof first, run: string): Promise<string> =>
        queued(model, coordinator, run)
          .complete(aRequest(), signal)
          .then(({ text }) => text);
      assert.equal(await ask(first, 'run-2'), 'Answer 1.');
      assert.equal(await ask(first, 'run-2'), 'Answer 2.', 'asked anew on purpose');
      assert.equal(await ask(resumed, 'run-2'), 'Answer 1.', 'not paid twice');
      assert.equal(await ask(resumed, 'run-3'), 'Answer 3.', 'another run asks for itself');
    } finally {
      await first.close();
      await resumed.close();
      await worker.stop();
    }
  });

  it('are asked anew where they had failed before the run went on: what was wrong is mended by then', async () => {
    let isMended = false;
    const wrongKey = new FailedCall('auth', 'The key is wrong.', { charged: false });
    const model = new ScriptedModel({ model: 'locked' }).when('', () => (isMended ? 'Moored.' : wrongKey));
    const worker = await aWorker(redis.url, model);
    const [first, resumed] = [await aCoordinator(redis.url), await aCoordinator(redis.url)];
    try {
      await assert.rejects(queued(model, first, 'run-7').complete(aRequest(), signal), { kind: 'auth' });
      isMended = true;
      assert.equal((await queued(model, resumed, 'run-7').complete(aRequest(), signal)).text, 'Moored.');
    } finally {
      await first.close();
      await resumed.close();
      await worker.stop();
    }
  });

  it('teach every worker the form that the server takes, as soon as one of them has been refused', async () => {
    const refusals: string[] = [];
    const learner = (name: string): LanguageModel => {
      let isKnown = false;
      const once: LanguageModel['complete'] = () => {
        if (isKnown) return Promise.resolve(aReply({ text: name }));
        isKnown = true;
        refusals.push(name);
        return Promise.reject(new RefusedForm());
      };
      const form = { tell: () => 'known', take: (told: unknown) => void (isKnown ||= told === 'known') };
      return { identity, complete: once, once, form };
    };
    const { identity } = new ScriptedModel({ model: 'picky' });
    const workers = [await aWorker(redis.url, learner('a')), await aWorker(redis.url, learner('b'))];
    const coordinator = await aCoordinator(redis.url);
    try {
      const target = queued(learner('here'), coordinator, 'run-5');
      await assert.rejects(async () => target.once?.(aRequest({ attempt: 0 }), signal), RefusedForm);
      const attempts = Array.from({ length: 12 }, (_, attempt) => attempt + 1);
      await Promise.all(attempts.map(async (attempt) => target.once?.(aRequest({ attempt }), signal)));
      assert.equal(refusals.length, 1);
    } finally {
      await coordinator.close();
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });

  it('are made at a Redis that others use too, and leave nothing of ours behind there', async () => {
    const shared = await redisAt(redis.url);
    const raw = new Redis(shared.url);
    await raw.set('theirs', 'kept');
    const model = new ScriptedModel({ model: 'shared' }).when('', 'Moored.');
    const worker = await aWorker(shared.url, model);
    const coordinator = await aCoordinator(shared.url);
    try {
      await queued(model, coordinator, 'run-6').complete(aRequest(), signal);
      assert.ok((await raw.keys('*')).length > 1);
      assert.deepEqual(
        (await lookAt(namedQueue(redis.url))).workers.filter(({ name }) => name === worker.card.name),
        [],
      );
    } finally {
      await coordinator.close();
      await worker.stop();
      await shared.dispose();
    }
    assert.deepEqual(await raw.keys('*'), ['theirs']);
    await raw.del('theirs');
    raw.disconnect();
  });

  it('end at once with the cure where nobody serves the model', async () => {
    const model = new ScriptedModel({ model: 'nobodys' });
    const coordinator = await aCoordinator(redis.url, { patienceMs: 300 });
    try {
      await assert.rejects(queued(model, coordinator, 'run-4').complete(aRequest(), signal), {
        kind: 'endpoint',
        sent: false,
        message: /No worker at .* serves scripted\/nobodys as target/,
        cure: /whetstone worker/,
      });
    } finally {
      await coordinator.close();
    }
  });
});
