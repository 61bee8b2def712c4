import assert from 'node:assert/strict';
import { heatOf } from '../../../../src/app/results/reportHeat.js';
import { anAttemptAt } from '../../../builders/runEvents.js';

/** A report shows how every task came out, and of which text. */
describe('the heat map of a report', () => {
  it('holds one candidate a cell, though the one before is tried on further tasks in a later step', () => {
    const { columns, rows } = heatOf([
      anAttemptAt('baseline', 0, { of: 'original', at: 'a', hard: 0 }),
      anAttemptAt('baseline', 0, { of: 'original', at: 'b', hard: 0 }),
      anAttemptAt('rollout', 1, { of: 'original', at: 'train', hard: 0 }),
      anAttemptAt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
      anAttemptAt('rollout', 2, { of: 'first', at: 'train', hard: 1 }),
      anAttemptAt('evaluate', 2, { of: 'first', at: 'b', hard: 0 }),
      anAttemptAt('evaluate', 2, { of: 'second', at: 'a', hard: 1 }),
      anAttemptAt('evaluate', 2, { of: 'second', at: 'b', hard: 1 }),
      anAttemptAt('certify', 2, { of: 'second', at: 'b', hard: 0 }),
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
      anAttemptAt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
      anAttemptAt('evaluate', 1, { of: 'second', at: 'a', hard: 0 }),
      { ...anAttemptAt('evaluate', 1, { of: 'second', at: 'a', hard: 1 }), memoryHash: 'memory' },
    ]);
    assert.equal(columns.length, 3);
    assert.deepEqual(rows[0]?.scores, [1, 0, 1]);
  });

  it('takes the mean of several attempts at one text', () => {
    const { rows } = heatOf([
      anAttemptAt('evaluate', 1, { of: 'first', at: 'a', hard: 1 }),
      anAttemptAt('evaluate', 1, { of: 'first', at: 'a', hard: 0 }),
    ]);
    assert.deepEqual(rows[0]?.scores, [0.5]);
  });
});
