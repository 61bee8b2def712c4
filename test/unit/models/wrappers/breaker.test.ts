import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { Breaker, givesUpAfter } from '../../../../src/models/wrappers/breaker.js';
import { createRateLimiter } from '../../../../src/models/wrappers/rateLimiter.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const { signal } = new AbortController();
const minute = 60_000;
const failure = new ModelError('timeout', 'No answer within 240 s.');

describe('a server that gives no answer', () => {
  it('is given up after its minutes, also in the middle of a call', async () => {
    const clock = new ManualClock();
    const breaker = new Breaker(clock);
    const began = clock.now();
    const calls = [1, 2].map(() => breaker.run(silence, signal));
    const ends = Promise.allSettled(calls);
    await clock.advance(givesUpAfter.minutes * minute);
    for (const end of await ends) {
      assert.ok(end.status === 'rejected' && end.reason instanceof ModelError);
      assert.equal(end.reason.kind, 'given-up');
      assert.match(end.reason.message, /gave no answer for 20 minutes/);
      assert.match(end.reason.cure, /resume the run/);
    }
    assert.equal(clock.now() - began, 20 * minute);
    assert.equal(clock.sleeping, 0);
    await assert.rejects(breaker.run(answer, signal), { kind: 'given-up' });
  });

  it('is given up after its minutes where every call ends in a time-out, and the last one is told', async () => {
    const { breaker, fail } = failing();
    for (let passed = 4; passed < givesUpAfter.minutes; passed += 4)
      await assert.rejects(fail(4 * minute), { kind: 'timeout' });
    await assert.rejects(fail(4 * minute), {
      kind: 'given-up',
      message: /5 calls in a row failed\. The last one: No answer/,
    });
    await assert.rejects(breaker.run(answer, signal), { kind: 'given-up' });
  });

  it('is given up early where many calls in a row fail, but not for a few tasks that it always fails on', async () => {
    const { fail } = failing();
    for (let count = 0; count < 2 * givesUpAfter.failures; count += 1)
      await assert.rejects(fail((3 * minute) / (2 * givesUpAfter.failures) - 1), { kind: 'timeout' });
    await assert.rejects(fail(minute), { kind: 'given-up', message: /81 calls in a row failed/ });
  });

  it('has all its time again after an answer, and after a word about the request itself', async () => {
    for (const alive of [answer, () => Promise.reject(new ModelError('context-length', 'too long'))]) {
      const { breaker, fail } = failing();
      for (let round = 0; round < 4; round += 1) {
        for (let count = 0; count < 4; count += 1) await assert.rejects(fail(4 * minute), { kind: 'timeout' });
        await breaker.run(alive, signal).catch(() => undefined);
      }
    }
  });

  it('is not given up for the time in which nobody asked, or in which the machine slept', async () => {
    const { clock, fail } = failing();
    await assert.rejects(fail(0), { kind: 'timeout' });
    clock.set(clock.now() + 10 * 60 * minute); // between two calls
    await assert.rejects(fail(0), { kind: 'timeout' });
    await assert.rejects(fail(10 * 60 * minute), { kind: 'timeout' }); // within one
  });

  it('may refuse many calls in a row where it says that there are too many', async () => {
    const { breaker } = failing();
    for (let count = 0; count < 3 * givesUpAfter.failures; count += 1)
      await assert.rejects(breaker.run(tooMany, signal), { kind: 'rate-limit' });
  });

  it('is not watched by a clock whose waits take no time', async () => {
    const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
    assert.equal(await new Breaker(clock).run(() => new Promise((resolve) => setImmediate(resolve, 7)), signal), 7);
  });

  it('ends a call with the reason of the person who stopped the run', async () => {
    const controller = new AbortController();
    const call = new Breaker(new ManualClock()).run(silence, controller.signal);
    const reason = new Error('stop');
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
  });
});

describe('calls that workers make', () => {
  it('may wait on the queue behind others for as long as that takes', async () => {
    const clock = new ManualClock();
    const limiter = createRateLimiter({ clock, concurrency: 4, isOpen: true, isElsewhere: true });
    const job = limiter.run(async (heard) => {
      await clock.sleep(45 * minute, heard);
      return 'its turn came';
    }, signal);
    const end = Promise.allSettled([job]);
    await clock.advance(46 * minute);
    assert.deepEqual(await end, [{ status: 'fulfilled', value: 'its turn came' }]);
    assert.equal(clock.sleeping, 0);
  });

  it('end a run all the same where many of them fail in a row', async () => {
    const clock = new ManualClock();
    const limiter = createRateLimiter({ clock, concurrency: 4, isOpen: true, isElsewhere: true });
    const fail = async (): Promise<never> => {
      clock.set(clock.now() + minute / 10);
      throw failure;
    };
    for (let count = 1; count < givesUpAfter.failures; count += 1)
      await assert.rejects(limiter.run(fail, signal), { kind: 'timeout' });
    await assert.rejects(limiter.run(fail, signal), { kind: 'given-up', message: /40 calls in a row failed/ });
  });
});

describe('a server that asks to wait for a day', () => {
  it('is asked no more: the run ends and says how long the wait would be', async () => {
    const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 4 });
    let calls = 0;
    const refused = (): Promise<never> => {
      calls += 1;
      return Promise.reject(new ModelError('rate-limit', 'Too many.', { retryAfterMs: 86_400_000 }));
    };
    const ends = await Promise.allSettled(Array.from({ length: 9 }, () => gate.run(refused, signal)));
    assert.equal(calls, 1);
    for (const end of ends) {
      assert.ok(end.status === 'rejected' && end.reason instanceof ModelError);
      assert.equal(end.reason.kind, 'given-up');
      assert.match(end.reason.message, /asks to wait 24 hours, which is longer than a run waits\. Too many\./);
    }
  });
});

/** Hears an abort, and nothing else ends it. */
function silence(heard: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    heard.addEventListener('abort', () => reject(heard.reason), { once: true });
  });
}

function tooMany(): Promise<never> {
  return Promise.reject(new ModelError('rate-limit', 'Too many.'));
}

function answer(): Promise<string> {
  return Promise.resolve('yes');
}

/** A breaker, and a call to it that fails after a while. */
function failing(): {
  readonly clock: ManualClock;
  readonly breaker: Breaker;
  readonly fail: (ms: number) => Promise<unknown>;
} {
  const clock = new ManualClock();
  const breaker = new Breaker(clock);
  const fail = (ms: number): Promise<unknown> =>
    breaker.run(async () => {
      clock.set(clock.now() + ms);
      throw failure;
    }, signal);
  return { clock, breaker, fail };
}
