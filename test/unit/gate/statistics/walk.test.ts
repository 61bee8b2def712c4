import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { binomialDistribution } from 'simple-statistics';
import {
  coinProbability,
  extendWalk,
  signFlipProbability,
  startOfWalk,
  upperTail,
} from '../../../../src/gate/statistics/walk.js';
import { signPatterns } from '../enumeration.js';

describe('the law of a walk', () => {
  it('equals counting every sign pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 9 }), (magnitudes) => {
        const law = extendWalk(startOfWalk, magnitudes);
        const counted = law.map(() => 0);
        for (const signs of signPatterns(magnitudes.length)) {
          const won = magnitudes.reduce((sum, magnitude, at) => sum + (signs[at] === 1 ? magnitude : 0), 0);
          counted[won] = (counted[won] ?? 0) + 1 / 2 ** magnitudes.length;
        }
        // Halves and sums of halves are exact in binary: no tolerance.
        assert.deepEqual(law, counted);
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('is the same however the steps are cut into passes', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }), { maxLength: 5 }), (passes) => {
        const stepwise = passes.reduce(extendWalk, startOfWalk);
        assert.deepEqual(stepwise, extendWalk(startOfWalk, passes.flat()));
      }),
      { seed: 2, numRuns: 60 },
    );
  });

  it('sums up to 1', () => {
    assert.equal(upperTail(extendWalk(startOfWalk, [3, 1, 4, 1, 5, 9, 2, 6]), 0), 1);
  });
});

describe('one-sided sign probabilities', () => {
  it('agree with the binomial distribution', () => {
    for (const tosses of [1, 2, 5, 10, 30]) {
      const binomial = binomialDistribution(tosses, 0.5) ?? [];
      assert.ok(binomial.length > tosses / 2);
      for (const [successes, expected] of binomial.entries()) {
        const exactly = coinProbability(successes, tosses) - coinProbability(successes + 1, tosses);
        assert.ok(Math.abs(exactly - expected) < 1e-9, `${successes} of ${tosses}`);
      }
    }
  });

  it('are exact for magnitudes that differ: flipping signs of 3, 2, -1 reaches 4 in two of eight ways', () => {
    assert.equal(signFlipProbability([3, 2, -1]), 2 / 8);
  });

  it('take ties for what they are: nothing', () => {
    assert.equal(signFlipProbability([0, 0, 1]), 0.5);
    assert.equal(signFlipProbability([0, 0]), 1);
  });

  it('never rise when a value rises', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 10 }),
        fc.nat(),
        fc.integer({ min: 1, max: 20 }),
        (values, at, rise) => {
          const raised = values.map((value, index) => (index === at % values.length ? value + rise : value));
          assert.ok(signFlipProbability(raised) <= signFlipProbability(values) + 1e-12);
        },
      ),
      { seed: 3, numRuns: 200 },
    );
  });
});
