import assert from 'node:assert/strict';
import { heatOf } from '../../../../src/app/results/reportHeat.js';
import type { RunEvent, Stage } from '../../../../src/engine/journal/runEvents.js';

/** A report shows how every task came out, and of which text. */
describe('the heat map of a report', () => {
  it('holds one candidate a cell, though the one before is tried on further tasks in a later step', () => {
    const { columns, rows } = heatOf([
      attempt('baseline', 0, { of: 'original', at: 'a', hard: 0 }),
      attempt('baseline', 0, { of: 'original', at: 'b', hard: 0 }),
      attempt('rollout', 1, { of: 'original', at: 'train', hard: 0 }),
      attempt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
      attempt('rollout', 2, { of: 'first', at: 'train', hard: 1 }),
      attempt('evaluate', 2, { of: 'first', at: 'b', hard: 0 }),
      attempt('evaluate', 2, { of: 'second', at: 'a', hard: 1 }),
      attempt('evaluate', 2, { of: 'second', at: 'b', hard: 1 }),
      attempt('certify', 2, { of: 'second', at: 'b', hard: 0 }),
    ]);
    assert.deepEqual(
      columns.map(({ label }) => label),
      ['before', 'step 1, training', 'step 1, candidate', 'step 2, training', 'step 2, candidate'],
    );
    assert.deepEqual(
      rows.map(({ task, scores }) => [task, ...scores]),
      [
        ['a', 0, null, 1, null, 1],
        ['b', 0, null, 0, null, 1],
        ['train', null, 0, null, 1, null],
      ],
    );
  });

  it('tells two candidates of one step apart, and memory files beside the same skill', () => {
    const { columns, rows } = heatOf([
      attempt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
      attempt('evaluate', 1, { of: 'second', at: 'a', hard: 0 }),
      { ...attempt('evaluate', 1, { of: 'second', at: 'a', hard: 1 }), memoryHash: 'memory' },
    ]);
    assert.equal(columns.length, 3);
    assert.deepEqual(rows[0]?.scores, [1, 0, 1]);
  });

  it('takes the mean of several attempts at one text', () => {
    const { rows } = heatOf([
      attempt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
      attempt('evaluate', 1, { of: 'first', at: 'a', hard: 0 }),
    ]);
    assert.deepEqual(rows[0]?.scores, [0.5]);
  });
});

function attempt(
  stage: Stage,
  step: number,
  { of: skillHash, at: taskId, hard }: { readonly of: string; readonly at: string; readonly hard: number },
): Extract<RunEvent, { kind: 'attempt' }> {
  return {
    kind: 'attempt',
    stage,
    step,
    skillHash,
    taskId,
    attempt: 1,
    outcome: { kind: 'scored', hard, soft: hard },
    answerHash: undefined,
    tokens: 0,
    latencyMs: 0,
    cached: false,
    checks: [],
  };
}
