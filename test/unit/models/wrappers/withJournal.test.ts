import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { replyKey, replyKeys } from '../../../../src/models/wrappers/replyKey.js';
import { withJournal, type CallEntry } from '../../../../src/models/wrappers/withJournal.js';
import { worstUsage } from '../../../../src/models/tokens.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { ScriptedModel, aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();

describe('withJournal', () => {
  it('writes down one record for each call: role, key, time and usage', async () => {
    const { model, clock, records, journalled } = scene();
    model.when('question', () => {
      clock.set(clock.now() + 1500);
      return { usage: { inputTokens: 7, outputTokens: 3, exact: true } };
    });
    await journalled.complete(aRequest({ role: 'judge' }), signal);
    assert.deepEqual(records, [
      {
        role: 'judge',
        model: model.identity,
        key: replyKey(model.identity, aRequest({ role: 'judge' })),
        ms: 1500,
        outcome: { kind: 'answered', usage: { inputTokens: 7, outputTokens: 3, exact: true } },
      },
    ]);
  });

  it('says in the reply how long it took, but for the simulated model, whose runs are the same everywhere', async () => {
    assert.deepEqual([await timeOf(false), await timeOf(true)], [1500, undefined]);
  });

  it('writes down the kind of a failure, and lets it through', async () => {
    const { model, records, journalled } = scene();
    model.when('question', new ModelError('rate-limit', 'too many'));
    await assert.rejects(journalled.complete(aRequest(), signal), { kind: 'rate-limit' });
    const usage = { inputTokens: 0, outputTokens: 0, exact: true };
    assert.deepEqual(records[0]?.outcome, { kind: 'failed', error: 'rate-limit', usage });
  });

  it('tells an abort from an error nobody knows', async () => {
    const { model, records, journalled } = scene();
    const controller = new AbortController();
    model.when('stop', () => {
      controller.abort(new Error('stop'));
      return 'too late';
    });
    model.when('bug', new TypeError('a bug'));
    await assert.rejects(
      journalled.complete(aRequest({ messages: [{ role: 'user', content: 'stop' }] }), controller.signal),
    );
    await assert.rejects(journalled.complete(aRequest({ messages: [{ role: 'user', content: 'bug' }] }), signal));
    const usage = worstUsage(aRequest({ messages: [{ role: 'user', content: 'stop' }] }));
    assert.deepEqual(
      records.map(({ outcome }) => outcome),
      [
        { kind: 'failed', error: 'aborted', usage },
        { kind: 'failed', error: 'unknown', usage },
      ],
    );
  });

  it('writes down no word of what was said', async () => {
    const { model, records, journalled } = scene();
    model.when('question', 'A reply nobody else may read.');
    await journalled.complete(aRequest(), signal);
    assert.doesNotMatch(JSON.stringify(records), /question|reply nobody/);
  });
});

function scene(): {
  model: ScriptedModel;
  clock: ManualClock;
  records: CallEntry[];
  journalled: ReturnType<typeof withJournal>;
} {
  const model = new ScriptedModel();
  const clock = new ManualClock();
  const records: CallEntry[] = [];
  return {
    model,
    clock,
    records,
    journalled: withJournal(model, {
      clock,
      record: (record) => records.push(record),
      keyOf: replyKeys(model.identity),
    }),
  };
}

async function timeOf(simulated: boolean): Promise<number | undefined> {
  const clock = new ManualClock();
  const model = new ScriptedModel({ simulated }).when('question', () => {
    clock.set(clock.now() + 1500);
    return {};
  });
  const journalled = withJournal(model, { clock, record: () => undefined, keyOf: replyKeys(model.identity) });
  return (await journalled.complete(aRequest(), signal)).usage.ms;
}
