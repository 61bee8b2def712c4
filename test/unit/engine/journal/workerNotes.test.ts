import assert from 'node:assert/strict';
import { foldEvent } from '../../../../src/engine/journal/foldEvent.js';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import { emptySummary } from '../../../../src/engine/journal/runSummary.js';
import { workerNotes } from '../../../../src/wording/programs/workerCalls.js';

const call = (more: Partial<Extract<RunEvent, { kind: 'call' }>>): RunEvent => ({
  kind: 'call',
  role: 'target',
  tokens: 5,
  usd: 0,
  exact: true,
  ms: 1,
  cached: false,
  error: undefined,
  ...more,
});

function folded(...events: readonly RunEvent[]) {
  return events.reduce((summary, event) => foldEvent(summary, event, 1), emptySummary('run-1', 0));
}

describe('what a run says of the workers of its queue', () => {
  it('is which of them answered how much, and what failed where and why', () => {
    const lost = {
      error: 'unavailable',
      worker: 'quay',
      why: 'A job on the queue came to nothing: its worker is gone.',
    };
    const summary = folded(
      call({ worker: 'quay' }),
      call({ worker: 'harbour' }),
      call({ worker: 'harbour', role: 'judge' }),
      call({ ...lost, error: 'timeout', why: 'Too slow.' }),
      { kind: 'run-resumed' },
      call({ ...lost, error: 'unavailable' }),
      call({ role: 'optimizer' }),
    );
    assert.deepEqual(workerNotes(summary), [
      'The worker harbour answered 2 calls of this run.',
      'The worker quay answered 1 call of this run. 2 calls failed there, the last one: A job on the queue came to nothing: its worker is gone.',
    ]);
    assert.equal(summary.spend.target.calls, 4, 'and is beside what was spent');
  });

  it('is nothing where the run used none', () => {
    const summary = folded(call({}), call({ error: 'timeout' }));
    assert.equal(summary.workers, undefined);
    assert.deepEqual(workerNotes(summary), []);
  });
});
