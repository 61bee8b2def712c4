import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { CallsAhead } from '../../../../src/app/models/callsAhead.js';
import { aRequest, ScriptedModel } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();

describe('calls that are made before their stage begins', () => {
  it('are made up to the most, and the rest once it begins', async () => {
    const { model, ask, calls } = ahead(2);
    const asked = [ask(), ask(), ask(), ask()];
    await turn();
    assert.equal(model.requests.length, 2);
    calls.arrive();
    await Promise.all(asked);
    await ask();
    assert.equal(model.requests.length, 5);
  });

  it('are not made where it never begins', async () => {
    const { model, ask, calls } = ahead(1);
    const [first, ...others] = [ask(), ask(), ask()];
    await first;
    calls.drop();
    const settled = await Promise.allSettled([...others, ask()]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected', 'rejected'],
    );
    assert.equal(model.requests.length, 1);
  });

  it('hear an abort while they wait', async () => {
    const { model, calls } = ahead(0);
    const stop = new AbortController();
    const waiting = calls.over(model).complete(aRequest(), stop.signal);
    await turn();
    const reason = new Error('stop');
    stop.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    assert.equal(model.requests.length, 0);
  });

  it('let go of the run’s signal once they are made, and Node takes none of them for a leak', async () => {
    const { model, calls } = ahead(0);
    const stop = new AbortController();
    const warnings = await warningsDuring(async () => {
      const waiting = Array.from({ length: 12 }, () => calls.over(model).complete(aRequest(), stop.signal));
      await turn();
      calls.arrive();
      await Promise.all(waiting);
    });
    assert.deepEqual(warnings, []);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });
});

async function warningsDuring(work: () => Promise<void>): Promise<readonly string[]> {
  const heard: string[] = [];
  const hear = ({ name }: Error): void => void heard.push(name);
  process.on('warning', hear);
  await work();
  await turn();
  process.off('warning', hear);
  return heard;
}

function ahead(most: number) {
  const model = new ScriptedModel().when(() => true, 'Yes.');
  const calls = new CallsAhead(most);
  const over = calls.over(model);
  return { model, calls, ask: () => over.complete(aRequest(), signal) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
