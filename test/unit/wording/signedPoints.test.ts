import assert from 'node:assert/strict';
import { points, signedPoints } from '../../../src/wording/amounts.js';
import { english } from '../../../src/wording/translate.js';

/** Beside tokens, which have it too, a loss has the minus sign and not a hyphen. */
describe('a difference in points', () => {
  it('has a sign, and none where it is none', () => {
    assert.deepEqual([0.39, -0.02, 0, -0.001].map(signedPoints), ['+39', '−2', '0', '0']);
  });

  it('is one point in either direction', () => {
    assert.deepEqual(
      [0.01, -0.01, -0.02].map((difference) => points(difference, english)),
      ['+1 point', '−1 point', '−2 points'],
    );
  });
});
