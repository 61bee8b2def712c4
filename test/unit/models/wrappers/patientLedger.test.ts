import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { patientLedger } from '../../../../src/models/wrappers/patientLedger.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';

const { signal } = new AbortController();
const used = { tokens: 10, usd: 0, exact: true };

describe('a call that has no room beside others', () => {
  it('waits until they have settled on what they used', async () => {
    const reserve = reserving({ tokens: 1000 });
    const first = await reserve(600);
    const second = reserve(600);
    const third = reserve(600);
    assert.equal(await isPending(second), true);
    await first.settle(used);
    const begun = await second;
    assert.equal(await isPending(third), true);
    await begun.release();
    await (await third).settle(used);
  });

  it('is refused where it has none alone', async () => {
    const reserve = reserving({ tokens: 1000 });
    const first = await reserve(600);
    const second = reserve(600);
    await first.settle({ ...used, tokens: 500 });
    await assert.rejects(second, { kind: 'cap' });
    await assert.rejects(reserve(600), { kind: 'cap' });
    await (await reserve(400)).settle(used);
  });

  it('is refused once the calls are used up, and not before those under way are over', async () => {
    const reserve = reserving({ calls: 1 });
    const first = await reserve(1);
    const second = reserve(1);
    assert.equal(await isPending(second), true);
    await first.settle(used);
    await assert.rejects(second, { kind: 'cap' });
  });

  it('hears an abort while it waits', async () => {
    const stop = new AbortController();
    const reserve = reserving({ tokens: 1000 });
    await reserve(600);
    const waiting = reserve(600, stop.signal);
    assert.equal(await isPending(waiting), true);
    const reason = new Error('stop');
    stop.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
  });

  it('listens for an abort only while it waits, however often it has to wait', async () => {
    const stop = new AbortController();
    const reserve = reserving({ tokens: 1000 });
    const small = await Promise.all(Array.from({ length: 12 }, () => reserve(80)));
    const waiting = reserve(990, stop.signal);
    for (const each of small) {
      assert.equal(await isPending(waiting), true);
      assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
      await each.settle({ ...used, tokens: 0 });
    }
    await (await waiting).settle(used);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});

function reserving(run: { readonly tokens?: number; readonly calls?: number }) {
  const ledger = patientLedger(new MemoryLedger(new ManualClock()));
  const claim = { runId: 'r', role: 'target', model: 'm', caps: { run, day: {}, month: {} } } as const;
  return (tokens: number, abort = signal) => ledger.reserve({ ...claim, worst: { tokens, usd: 0 } }, abort);
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const turn = new Promise((resolve) => setTimeout(() => resolve(pending), 20));
  return (await Promise.race([promise.catch(() => undefined), turn])) === pending;
}
