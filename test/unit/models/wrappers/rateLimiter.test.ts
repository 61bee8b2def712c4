import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { createRateLimiter } from '../../../../src/models/wrappers/rateLimiter.js';
import { withRate } from '../../../../src/models/wrappers/composeModel.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { ScriptedModel, aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const tooMany = (retryAfterMs?: number): ModelError =>
  new ModelError('rate-limit', 'too many', retryAfterMs === undefined ? {} : { retryAfterMs });

describe('the rate limiter of a server', () => {
  it('lets the first call go alone, and then all at once', async () => {
    const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 4 });
    const calls = new Calls();
    for (let index = 0; index < 6; index++) void gate.run(calls.call, signal);
    await turn();
    assert.equal(calls.running, 1);
    await calls.answer();
    assert.equal(calls.running, 4);
    assert.equal(gate.width(), 4);
  });

  it('lets all go at once where the server is known to answer', async () => {
    const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 4, isOpen: true });
    const calls = new Calls();
    for (let index = 0; index < 6; index++) void gate.run(calls.call, signal);
    await turn();
    assert.deepEqual([calls.running, gate.width()], [4, 4]);
    await calls.answer();
    assert.deepEqual([calls.running, gate.width()], [4, 4]);
  });

  it('stays narrow while the first calls fail', async () => {
    const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 4 });
    const calls = new Calls();
    const results = Array.from({ length: 3 }, () => gate.run(calls.call, signal));
    const settled = Promise.allSettled(results);
    await turn();
    await calls.fail(new ModelError('unavailable', 'no'));
    assert.equal(calls.running, 1);
    await calls.fail(new ModelError('unavailable', 'no'));
    await calls.fail(new ModelError('unavailable', 'no'));
    assert.deepEqual(
      (await settled).map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
  });

  for (const kind of ['auth', 'quota', 'model-not-found', 'endpoint'] as const) {
    it(`tells everyone who waits of ${kind}, and asks nobody else`, async () => {
      const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 4 });
      const calls = new Calls();
      const results = Promise.allSettled(Array.from({ length: 9 }, () => gate.run(calls.call, signal)));
      await turn();
      const error = new ModelError(kind, 'no');
      await calls.fail(error);
      assert.deepEqual(
        await results,
        Array.from({ length: 9 }, () => ({ status: 'rejected', reason: error })),
      );
      assert.equal(calls.running, 0);
      await assert.rejects(gate.run(calls.call, signal), { kind });
      assert.equal(calls.running, 0);
    });
  }

  it('goes on after a cap: a smaller call may fit', async () => {
    const { gate, calls } = await opened(2);
    const refused = gate.run(calls.call, signal);
    await turn();
    await Promise.all([assert.rejects(refused), calls.fail(new ModelError('cap', 'full'))]);
    void gate.run(calls.call, signal);
    await turn();
    assert.equal(calls.running, 1);
  });

  it('halves once for a burst of refusals, and again only for calls that started after it', async () => {
    const { gate, calls } = await opened(16);
    for (let index = 0; index < 16; index++) gate.run(calls.call, signal).catch(() => undefined);
    await turn();
    for (let index = 0; index < 5; index++) await calls.fail(tooMany());
    assert.equal(gate.width(), 8);
    for (let index = 0; index < 11; index++) await calls.answer();
    gate.run(calls.call, signal).catch(() => undefined);
    await turn();
    const before = gate.width();
    await calls.fail(tooMany());
    assert.equal(gate.width(), Math.floor(before / 2));
  });

  it('never narrows below one', async () => {
    const { gate, calls } = await opened(2);
    for (let index = 0; index < 4; index++) {
      const result = gate.run(calls.call, signal);
      await turn();
      await Promise.all([assert.rejects(result), calls.fail(tooMany())]);
    }
    assert.equal(gate.width(), 1);
  });

  it('recovers by one after each full round of answers, up to where it was', async () => {
    const { gate, calls } = await opened(4);
    const result = gate.run(calls.call, signal);
    await turn();
    await Promise.all([assert.rejects(result), calls.fail(tooMany())]);
    assert.equal(gate.width(), 2);
    const widths: number[] = [];
    for (let index = 0; index < 9; index++) {
      void gate.run(calls.call, signal);
      await turn();
      await calls.answer();
      widths.push(gate.width());
    }
    assert.deepEqual(widths, [2, 3, 3, 3, 4, 4, 4, 4, 4]);
  });

  it('holds everyone for as long as the server asked', async () => {
    const clock = new ManualClock();
    const { gate, calls } = await opened(4, clock);
    const refused = gate.run(calls.call, signal);
    await turn();
    await Promise.all([assert.rejects(refused), calls.fail(tooMany(5000))]);
    void gate.run(calls.call, signal);
    await clock.advance(4999);
    assert.equal(calls.running, 0);
    await clock.advance(1);
    assert.equal(calls.running, 1);
  });

  it('never starts a call that was aborted while it waited', async () => {
    const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 4 });
    const calls = new Calls();
    const controller = new AbortController();
    void gate.run(calls.call, signal);
    const waiting = gate.run(calls.call, controller.signal);
    await turn();
    const reason = new Error('stop');
    controller.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    await calls.answer();
    assert.equal(calls.started, 1);
  });

  it('finds how many a person’s own server works on, by the work and the time of their answers', async () => {
    const clock = new ManualClock();
    const gate = createRateLimiter({ clock, concurrency: 8, ownServer: () => Promise.resolve(undefined) });
    const open: ((result: unknown) => void)[] = [];
    const call = (): Promise<unknown> => new Promise((answer) => open.push(answer));
    const all = Array.from({ length: 60 }, () => gate.run(call, signal));
    for (await turn(); open.length > 0; await turn()) {
      await clock.advance(1_000); // two are worked on at a time
      for (const answer of open.splice(0, 2)) answer({ usage: { inputTokens: 400, outputTokens: 100 } });
    }
    await Promise.all(all);
    assert.equal(gate.width(), 2);
  });

  it('is passed by every call of a model', async () => {
    const gate = createRateLimiter({ clock: new ManualClock(), concurrency: 2 });
    const model = withRate(new ScriptedModel().when('', 'Yes.'), gate);
    const replies = await Promise.all([1, 2, 3].map((attempt) => model.complete(aRequest({ attempt }), signal)));
    assert.deepEqual(
      replies.map(({ text }) => text),
      ['Yes.', 'Yes.', 'Yes.'],
    );
    assert.equal(gate.width(), 2);
  });
});

/** Calls that end when the test says so, in the order in which they started. */
class Calls {
  started = 0;
  readonly #open: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = [];

  get running(): number {
    return this.#open.length;
  }

  readonly call = (): Promise<void> => {
    this.started += 1;
    return new Promise((answer, fail) => this.#open.push({ answer, fail }));
  };

  async answer(): Promise<void> {
    this.#open.shift()?.answer();
    await turn();
  }

  async fail(error: Error): Promise<void> {
    this.#open.shift()?.fail(error);
    await turn();
  }
}

async function opened(
  concurrency: number,
  clock = new ManualClock(),
): Promise<{ gate: ReturnType<typeof createRateLimiter>; calls: Calls }> {
  const gate = createRateLimiter({ clock, concurrency });
  const calls = new Calls();
  void gate.run(calls.call, signal);
  await turn();
  await calls.answer();
  return { gate, calls };
}

async function turn(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}
