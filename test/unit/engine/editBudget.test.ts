import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { editBudgetAt } from '../../../src/engine/stepPlans.js';
import type { RunOptions } from '../../../src/engine/runOptions.js';

type BudgetSchedule = RunOptions['edits']['schedule'];

/** As the paper's trainer gives them. */
const golden: readonly (readonly [
  schedule: BudgetSchedule,
  budget: number,
  minimum: number,
  total: number,
  sequence: readonly number[],
])[] = [
  ['linear', 4, 2, 4, [4, 3, 2, 2]],
  ['linear', 4, 2, 8, [4, 4, 3, 3, 3, 2, 2, 2]],
  ['linear', 4, 2, 12, [4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2]],
  ['cosine', 4, 2, 4, [4, 3, 2, 2]],
  ['cosine', 4, 2, 8, [4, 4, 3, 3, 3, 2, 2, 2]],
  ['cosine', 4, 2, 12, [4, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2]],
  ['linear', 8, 2, 8, [7, 6, 6, 5, 4, 4, 3, 2]],
  ['cosine', 8, 2, 8, [8, 7, 6, 5, 4, 3, 2, 2]],
  ['linear', 16, 2, 10, [15, 13, 12, 10, 9, 8, 6, 5, 3, 2]],
  ['cosine', 16, 2, 10, [16, 15, 13, 11, 9, 7, 5, 3, 2, 2]],
  ['constant', 4, 2, 3, [4, 4, 4]],
];

describe('the edit budget', () => {
  for (const [schedule, budget, minimum, total, sequence] of golden) {
    it(`falls ${schedule} from ${budget} to ${minimum} in ${total} steps as ${sequence.join(' ')}`, () => {
      const steps = Array.from({ length: total }, (_, index) => index + 1);
      assert.deepEqual(
        steps.map((step) => editBudgetAt(step, total, { budget, minimum, schedule })),
        sequence,
      );
    });
  }

  it('is whole in a run of one step', () => {
    for (const schedule of ['constant', 'linear', 'cosine'] as const) {
      assert.equal(editBudgetAt(1, 1, { budget: 4, minimum: 2, schedule }), 4);
    }
  });

  it('never rises, never leaves its bounds, and ends at the minimum', () => {
    const plans = fc.record({
      minimum: fc.integer({ min: 1, max: 10 }),
      more: fc.integer({ min: 0, max: 20 }),
      total: fc.integer({ min: 2, max: 60 }),
      schedule: fc.constantFrom<BudgetSchedule>('linear', 'cosine'),
    });
    fc.assert(
      fc.property(plans, ({ minimum, more, total, schedule }) => {
        const plan = { budget: minimum + more, minimum, schedule };
        const sequence = Array.from({ length: total }, (_, index) => editBudgetAt(index + 1, total, plan));
        assert.deepEqual(
          [...sequence].sort((a, b) => b - a),
          sequence,
        );
        assert.ok(sequence.every((count) => count >= minimum && count <= plan.budget));
        assert.equal(sequence.at(-1), minimum);
      }),
    );
  });
});
