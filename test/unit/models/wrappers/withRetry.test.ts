import assert from 'node:assert/strict';
import { ModelError, type ModelErrorKind } from '../../../../src/errors.js';
import { withRetry, type RetryOptions } from '../../../../src/models/wrappers/withRetry.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { ScriptedModel, aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();

describe('withRetry', () => {
  it('asks again until an answer comes, and reports every time', async () => {
    const { model, waits, options } = failing([new ModelError('unavailable', 'x'), new ModelError('malformed', 'y')]);
    const reported: string[] = [];
    const retrying = withRetry(model, {
      ...options,
      onRetry: ({ kind, attempt }) => reported.push(`${kind} ${attempt}`),
    });
    assert.equal((await retrying.complete(aRequest(), signal)).text, 'An answer.');
    assert.deepEqual(reported, ['unavailable 1', 'malformed 2']);
    assert.equal(waits.length, 2);
  });

  it('gives up after nine attempts with the last error', async () => {
    const { model, options } = failing(Array.from({ length: 20 }, (_, index) => new ModelError('timeout', `${index}`)));
    await assert.rejects(withRetry(model, options).complete(aRequest(), signal), { message: '8' });
    assert.equal(model.requests.length, 9);
  });

  const hopeless: readonly ModelErrorKind[] = ['auth', 'quota', 'model-not-found', 'endpoint', 'cap', 'context-length'];
  for (const kind of hopeless) {
    it(`does not ask again after ${kind}`, async () => {
      const { model, options } = failing([new ModelError(kind, 'no')]);
      await assert.rejects(withRetry(model, options).complete(aRequest(), signal), { kind });
      assert.equal(model.requests.length, 1);
    });
  }

  const hopeful: readonly ModelErrorKind[] = ['rate-limit', 'timeout', 'malformed', 'unavailable', 'content-filter'];
  for (const kind of hopeful) {
    it(`asks again after ${kind}`, async () => {
      const { model, options } = failing([new ModelError(kind, 'no')]);
      await withRetry(model, options).complete(aRequest(), signal);
      assert.equal(model.requests.length, 2);
    });
  }

  it('tries twice where the answer is filtered, and no more: each try may be charged', async () => {
    const { model, options } = failing(Array.from({ length: 9 }, () => new ModelError('content-filter', 'no')));
    await assert.rejects(withRetry(model, options).complete(aRequest(), signal), { kind: 'content-filter' });
    assert.equal(model.requests.length, 2);
  });

  it('does not hide errors that are no model errors', async () => {
    const { model, options } = failing([new ModelError('timeout', 'x'), new TypeError('a bug')]);
    await assert.rejects(withRetry(model, options).complete(aRequest(), signal), TypeError);
    assert.equal(model.requests.length, 2);
  });

  it('doubles the longest wait each time, and draws from all of it', async () => {
    const errors = Array.from({ length: 6 }, () => new ModelError('unavailable', 'x'));
    const most = failing(errors, 0.999999);
    await withRetry(most.model, { ...most.options, firstWaitMs: 100, longestWaitMs: 1000 }).complete(
      aRequest(),
      signal,
    );
    assert.deepEqual(most.waits, [200, 400, 800, 1000, 1000, 1000]);
    const least = failing(errors, 0);
    await withRetry(least.model, { ...least.options, firstWaitMs: 100 }).complete(aRequest(), signal);
    assert.deepEqual(least.waits, [0, 0, 0, 0, 0, 0]);
  });

  it('waits as long as the server asks, and no less', async () => {
    const { model, options, waits } = failing([new ModelError('rate-limit', 'x', { retryAfterMs: 7000 })], 0);
    await withRetry(model, options).complete(aRequest(), signal);
    assert.deepEqual(waits, [7000]);
  });

  it('takes a wish to wait an hour for a no', async () => {
    const { model, options } = failing([new ModelError('rate-limit', 'x', { retryAfterMs: 3_600_000 })]);
    await assert.rejects(withRetry(model, options).complete(aRequest(), signal), { kind: 'rate-limit' });
    assert.equal(model.requests.length, 1);
  });

  it('hears an abort while it waits', async () => {
    const clock = new ManualClock();
    const { model } = failing([new ModelError('unavailable', 'x')]);
    const controller = new AbortController();
    const reply = withRetry(model, { clock, random: () => 1 }).complete(aRequest(), controller.signal);
    while (clock.sleeping === 0) await clock.advance(0);
    controller.abort(new Error('the person said stop'));
    await assert.rejects(reply, /the person said stop/);
    assert.equal(model.requests.length, 1);
  });
});

/** A model that fails with each of the errors in turn and then answers; a clock that only notes how long it was asked to wait. */
function failing(
  errors: readonly Error[],
  random = 0.5,
): { model: ScriptedModel; waits: number[]; options: RetryOptions } {
  const waits: number[] = [];
  const clock: Clock = { now: () => 0, sleep: async (ms) => void waits.push(ms) };
  const left = [...errors];
  const model = new ScriptedModel().when('', () => left.shift() ?? 'An answer.');
  return { model, waits, options: { clock, random: () => random } };
}
