import assert from 'node:assert/strict';
import { isWaiting, ModelError } from '../../../../src/errors.js';
import { FailedCall } from '../../../../src/models/wrappers/failedCall.js';
import { composeModel } from '../../../../src/models/wrappers/composeModel.js';
import { createRateLimiter } from '../../../../src/models/wrappers/rateLimiter.js';
import type { CallEntry } from '../../../../src/models/wrappers/withJournal.js';
import type { Clock } from '../../../../src/ports/clock.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { ScriptedModel, aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;

describe('composeModel', () => {
  it('counts and journals each attempt by itself, and stores the answer once', async () => {
    const failures = [new ModelError('unavailable', 'x'), new ModelError('rate-limit', 'y')];
    const { model, records, ledger, store, composed } = scene();
    model.when('', () => failures.shift() ?? 'Yes.');
    assert.equal((await composed.complete(aRequest(), signal)).text, 'Yes.');
    assert.deepEqual(
      records.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.error : 'answered')),
      ['unavailable', 'rate-limit', 'answered'],
    );
    assert.equal(store.replies.size, 1);
    const spent = await ledger.spentInRun('run');
    assert.equal(spent.calls, 3, 'the refused call was a call, though it cost nothing');
    assert.equal(spent.exact, false, 'the call that broke off may have been charged');
  });

  it('asks each prompt that waits for somebody’s answer once, gives nobody up, and books nothing', async () => {
    const { model, ledger, store, composed } = scene();
    model.when('', () => new FailedCall('waiting', 'An answer is awaited.', { charged: false, sent: false }));
    const asked = Array.from({ length: 120 }, (_, attempt) => composed.complete(aRequest({ attempt }), signal));
    const ends = await Promise.allSettled(asked);
    assert.ok(ends.every((end) => end.status === 'rejected' && isWaiting(end.reason)));
    assert.equal(model.requests.length, 120);
    assert.deepEqual([store.replies.size, (await ledger.spentInRun('run')).calls], [0, 0]);
  });

  it('pays, journals and waits for nothing where the reply is stored', async () => {
    const { model, records, ledger, composed } = scene();
    model.when('', 'Yes.');
    await composed.complete(aRequest(), signal);
    const before = await ledger.spentInRun('run');
    const again = await composed.complete(aRequest(), signal);
    assert.equal(again.cached, true);
    assert.equal(records.length, 1);
    assert.deepEqual(await ledger.spentInRun('run'), before);
  });

  it('keeps secrets from the model and from the store, and gives them back to the caller', async () => {
    const { model, records, store, composed } = scene();
    model.when('', (request) => `Again: ${request.messages.at(-1)?.content ?? ''}`);
    const request = aRequest({ messages: [{ role: 'user', content: `Use ${token}` }] });
    const texts = [await composed.complete(request, signal), await composed.complete(request, signal)].map(
      ({ text }) => text,
    );
    assert.deepEqual(texts, [`Again: Use ${token}`, `Again: Use ${token}`]);
    assert.doesNotMatch(JSON.stringify([model.requests, records, ...store.replies]), /a1B2c3D4/);
  });

  it('ends at once on a fatal error, after one call', async () => {
    const { model, composed } = scene();
    model.when('', new ModelError('auth', 'no'));
    await assert.rejects(composed.complete(aRequest(), signal), { kind: 'auth' });
    assert.equal(model.requests.length, 1);
  });
});

function scene(): {
  model: ScriptedModel;
  records: CallEntry[];
  ledger: MemoryLedger;
  store: MemoryReplyStore;
  composed: LanguageModel;
} {
  const clock: Clock = { now: () => 0, sleep: async () => undefined };
  const model = new ScriptedModel();
  const records: CallEntry[] = [];
  const ledger = new MemoryLedger(new ManualClock());
  const store = new MemoryReplyStore();
  const composed = composeModel(model, {
    redactor: createRedactor({ key: 'k' }),
    replies: store,
    retry: { clock, random: () => 0 },
    limiter: createRateLimiter({ clock, concurrency: 4 }),
    budget: { ledger, runId: 'run', caps: { run: {}, day: {}, month: {} }, price: undefined },
    journal: { clock, record: (record) => records.push(record) },
  });
  return { model, records, ledger, store, composed };
}
