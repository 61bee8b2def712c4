import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { FailedCall } from '../../../src/models/wrappers/failedCall.js';
import type { LanguageModel } from '../../../src/ports/languageModel.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { aReply, aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aCoordinator, aGate, aWorker, queued } from './aQueue.js';

const { signal } = new AbortController();
const timeoutMs = 2_000; // what each call may take
const takesMs = 1_500; // what it takes

/** Counts what it is asked, and what was ended before its answer was there. */
function slowModel(): LanguageModel & { readonly counts: { asked: number; cut: number } } {
  const counts = { asked: 0, cut: 0 };
  return {
    identity: new ScriptedModel().identity,
    counts,
    complete: async (_request, stop) => {
      counts.asked += 1;
      await wait(takesMs, undefined, { signal: stop }).catch((error: unknown) => {
        counts.cut += 1;
        throw error;
      });
      return aReply();
    },
  };
}

describe('jobs that wait on the queue until their time is short', function () {
  this.timeout(60_000);
  let redis: TestRedis;

  before(async function () {
    needRedis(this);
    redis = await aRedis();
  });
  after(() => redis?.dispose());

  it('are queued anew as often as it takes: none is begun that would be cut, and none costs more than its one call', async () => {
    const model = slowModel();
    const worker = await aWorker(redis.url, model, { concurrency: 1 });
    const coordinator = await aCoordinator(redis.url, { jobMs: 1_000, lockMs: 600 });
    try {
      const target = queued(model, coordinator, 'run-late');
      await Promise.all([1, 2, 3, 4, 5].map((attempt) => untilAnswered(target, attempt)));
      assert.deepEqual(model.counts, { asked: 5, cut: 0 });
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });

  it('are refused by the worker that finds one, before it is made', async () => {
    const [begun, released] = [aGate(), aGate()];
    const model = new ScriptedModel().when('', async () => {
      begun.open();
      await released.opened;
      return 'Moored.';
    });
    const jobMs = 3_000;
    const worker = await aWorker(redis.url, model, { concurrency: 1 });
    const coordinator = await aCoordinator(redis.url, { jobMs, lockMs: 120_000 }); // does not look itself
    try {
      const target = queued(model, coordinator, 'run-refused');
      const first = target.complete(aRequest({ attempt: 1, timeoutMs: 60_000 }), signal);
      await begun.opened;
      const second = target.complete(aRequest({ attempt: 2, timeoutMs: 60_000 }), signal);
      const refused = assert.rejects(second, { kind: 'unavailable', charged: false, sent: false });
      await wait(jobMs + 1_000);
      released.open();
      await Promise.all([first, refused]);
      assert.equal(model.requests.length, 1);
    } finally {
      await coordinator.close();
      await worker.stop();
    }
  });
});

/** A job that its worker refused between two looks comes back as a call that was never made. */
async function untilAnswered(target: LanguageModel, attempt: number): Promise<void> {
  for (;;) {
    try {
      await target.complete(aRequest({ attempt, timeoutMs }), signal);
      return;
    } catch (error) {
      if (!(error instanceof FailedCall) || error.sent || error.charged) throw error;
    }
  }
}
