import assert from 'node:assert/strict';
import { composeModel } from '../../../../src/models/wrappers/composeModel.js';
import { createRateLimiter } from '../../../../src/models/wrappers/rateLimiter.js';
import { replyKey } from '../../../../src/models/wrappers/replyKey.js';
import { inThisProcess, withRunner } from '../../../../src/models/wrappers/withRunner.js';
import type { AttemptRunner, PhysicalCall } from '../../../../src/ports/attemptRunner.js';
import { ModelError } from '../../../../src/errors.js';
import type { Clock } from '../../../../src/ports/clock.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';
import { aReply, aRequest, ScriptedModel } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();

describe('a runner of physical calls', () => {
  it('in this process makes the call as the adapter does', async () => {
    const model = new ScriptedModel().when(() => true, 'Moored.');
    const reply = await withRunner(model, { runner: inThisProcess, runId: 'r1' }).complete(aRequest(), signal);
    assert.equal(reply.text, 'Moored.');
    assert.equal(model.requests.length, 1);
  });

  it('is told the run, the model and the key that the reply is stored under, however long it may take', async () => {
    const { runner, calls } = listening();
    const model = new ScriptedModel();
    const asked = aRequest();
    await withRunner(model, { runner, runId: 'r1', salt: { storedFor: 'r1' } }).complete(
      { ...asked, timeoutMs: 500, restMs: 900 },
      signal,
    );
    assert.equal(calls[0]?.key(), replyKey(model.identity, asked, { storedFor: 'r1' }));
    assert.equal(calls[0]?.runId, 'r1');
    assert.deepEqual(calls[0]?.model, model.identity);
    assert.equal(calls[0]?.request.timeoutMs, 500);
  });

  it('makes the one request over the wire where the adapter knows one', async () => {
    const { runner } = listening();
    const { identity } = plain();
    const model = withRunner({ identity, complete: refuses, once: refuses }, { runner, runId: 'r1' });
    assert.equal((await model.once?.(aRequest(), signal))?.text, 'From elsewhere.');
    assert.equal(withRunner(plain(), { runner, runId: 'r1' }).once, undefined);
  });

  it('is asked below all wrappers: reserved before, again for each try, with secrets taken out', async () => {
    const ledger = new MemoryLedger(new ManualClock());
    const reserved: number[] = [];
    const secret = 'sk-planted-key-0123456789';
    let tries = 0;
    const calls: PhysicalCall[] = [];
    const runner: AttemptRunner = {
      run: async (call) => {
        calls.push(call);
        reserved.push((await ledger.spentInRun('r1')).calls);
        tries += 1;
        if (tries === 1) throw new ModelError('unavailable', 'The worker is gone.');
        return aReply({ text: 'From elsewhere.' });
      },
    };
    const clock: Clock = { now: () => 0, sleep: async () => undefined };
    const composed = composeModel(withRunner(plain(), { runner, runId: 'r1' }), {
      redactor: createRedactor({ key: 'k', known: [secret] }),
      replies: new MemoryReplyStore(),
      retry: { clock, random: () => 0 },
      limiter: createRateLimiter({ clock, concurrency: 2 }),
      budget: { ledger, runId: 'r1', caps: { run: {}, day: {}, month: {} }, price: undefined },
      journal: { clock, record: () => undefined },
    });
    const request = aRequest({ messages: [{ role: 'user', content: `Use ${secret}.` }] });
    assert.equal((await composed.complete(request, signal)).text, 'From elsewhere.');
    assert.deepEqual(reserved, [1, 2]);
    assert.equal(calls[0]?.key(), calls[1]?.key(), 'the same reply is asked for');
    assert.ok(!JSON.stringify(calls).includes(secret));
  });
});

function refuses(): Promise<never> {
  return Promise.reject(new Error('the adapter was asked'));
}

function plain(): ScriptedModel {
  return new ScriptedModel();
}

function listening(): { readonly runner: AttemptRunner; readonly calls: PhysicalCall[] } {
  const calls: PhysicalCall[] = [];
  const runner: AttemptRunner = {
    run: (call) => {
      calls.push(call);
      return Promise.resolve(aReply({ text: 'From elsewhere.' }));
    },
  };
  return { runner, calls };
}
