import assert from 'node:assert/strict';
import { usdFigure } from '../../src/usdFigure.js';

describe('an amount of dollars', () => {
  it('has two digits for cents', () => {
    assert.deepEqual([0, 0.01, 0.0123, 1.5, 1234, -1].map(usdFigure), [
      '0.00',
      '0.01',
      '0.01',
      '1.50',
      '1234.00',
      '-1.00',
    ]);
  });

  it('has as many as it takes below one cent, and never reads as nothing', () => {
    assert.deepEqual([0.005, 0.0042, 0.00999, 0.00001, 1e-12].map(usdFigure), [
      '0.005',
      '0.0042',
      '0.01',
      '0.00001',
      '0.000001',
    ]);
  });
});
