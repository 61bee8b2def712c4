import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  compareStrictly,
  decideEarly,
  lowerScores,
  selects,
  type StrictPair,
} from '../../../../src/gate/statistics/strictRule.js';

describe('the strict rule', () => {
  const table: readonly { readonly name: string; readonly pairs: readonly StrictPair[]; readonly outcome: string }[] = [
    { name: 'a higher mean', pairs: pairsOf([0, 1], [1, 1]), outcome: 'higher' },
    { name: 'equal scores', pairs: pairsOf([0, 1], [1, 0]), outcome: 'equal' },
    { name: 'a lower mean', pairs: pairsOf([1, 1], [1, 0]), outcome: 'lower' },
    { name: 'sums that differ in their last bit only', pairs: pairsOf([0.1, 0.2, 0], [0.3, 0, 0]), outcome: 'equal' },
    { name: 'a lost pair counts on neither side', pairs: pairsOf([1, 0], [undefined, 0]), outcome: 'equal' },
    { name: 'nothing to compare', pairs: pairsOf([undefined], [1]), outcome: 'equal' },
  ];
  for (const { name, pairs, outcome } of table) {
    it(`${name} → ${outcome}`, () => {
      assert.equal(compareStrictly(pairs).outcome, outcome);
      assert.equal(selects(pairs), outcome === 'higher');
    });
  }

  it('counts what was compared and what was lost', () => {
    assert.deepEqual(compareStrictly(pairsOf([0, 1, 1], [1, 1, undefined])), {
      outcome: 'higher',
      before: 0.5,
      after: 1,
      compared: 2,
      lost: 1,
    });
  });

  it('takes any lower score for a regression', () => {
    assert.deepEqual(lowerScores(pairsOf([1, 0.5, 0, 1], [0.99, 0.5, 1, undefined])), [0]);
  });
});

describe('an early answer', () => {
  it('comes once the open tasks cannot change it', () => {
    const plain = { noRegression: false };
    assert.equal(decideEarly(pairsOf([0, 0], [1, 1]), [{ before: 1 }], plain), true);
    assert.equal(decideEarly(pairsOf([0], [1]), [{ before: 1 }], plain), undefined, 'it could still be lost');
    assert.equal(decideEarly(pairsOf([1], [0]), [{ before: 0 }], plain), false, 'a win would only tie');
    assert.equal(decideEarly(pairsOf([1], [0]), [{ before: undefined }], plain), false);
    assert.equal(decideEarly([], [], plain), false);
  });

  it('waits for every task where none may fall, and stops at the first that does', () => {
    const strict = { noRegression: true };
    assert.equal(decideEarly(pairsOf([0, 0], [1, 1]), [{ before: 1 }], strict), undefined);
    assert.equal(decideEarly(pairsOf([0, 0], [1, 1]), [], strict), true);
    assert.equal(decideEarly(pairsOf([0, 0, 1], [1, 1, 0.9]), [{ before: 1 }], strict), false);
  });

  it('is always the answer of the whole', () => {
    const score = fc.option(fc.constantFrom(0, 0.25, 0.5, 1), { nil: undefined, freq: 6 });
    const pairs = fc.array(fc.record({ before: score, after: score }), { maxLength: 6 });
    fc.assert(
      fc.property(pairs, pairs, fc.boolean(), fc.nat(63), (known, later, noRegression, hidden) => {
        // The original's score of an open task may be known already, or not.
        const open = later.map(({ before }, at) => ({ before: (hidden & (2 ** at)) === 0 ? before : undefined }));
        const early = decideEarly(known, open, { noRegression });
        if (early === undefined) return;
        const whole = [...known, ...later];
        assert.equal(selects(whole) && !(noRegression && lowerScores(whole).length > 0), early);
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});

function pairsOf(
  before: readonly (number | undefined)[],
  after: readonly (number | undefined)[],
): readonly StrictPair[] {
  return before.map((score, task) => ({ before: score, after: after[task] }));
}
