import assert from 'node:assert/strict';
import { lowCapLines } from '../../../../src/app/runs/bound/lowCaps.js';

const size = { usd: { low: 0.48, high: 17.63 }, tokens: { low: 9_000, high: 900_000 } };

describe('a cap below the least that a run takes', () => {
  it('is told before the run, in money and in tokens', () => {
    assert.deepEqual(lowCapLines(size, { usd: 0.3 }), [
      'The cap of 0.30 USD a run is below the least that ends in a proposal, 0.48 USD: the run may end without one.',
    ]);
    assert.match(lowCapLines(size, { tokens: 100 }).join(), /^The cap of 100 tokens a run is below .*, 9,000 tokens: /);
  });

  it('is not told where the cap leaves room, none is set, or no price is known', () => {
    assert.deepEqual(lowCapLines(size, { usd: 0.48, tokens: 9_000 }), []);
    assert.deepEqual(lowCapLines(size, {}), []);
    assert.deepEqual(lowCapLines({ ...size, usd: undefined }, { usd: 0.01 }), []);
  });
});
