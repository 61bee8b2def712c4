import assert from 'node:assert/strict';
import { capError } from '../../../../src/storage/spend/spendLedger.js';

describe('the error of a cap', () => {
  it('names money as it is named everywhere', () => {
    const worst = { tokens: 1, usd: 1 };
    const caps = { run: { usd: 0.3 }, day: {}, month: {} };
    const { message } = capError(
      { period: 'run', unit: 'usd', limit: 0.3 },
      { runId: 'r', role: 'target', model: 'm', worst, caps },
    );
    assert.equal(message, 'The next call to m may take up to 1.00 USD and pass the cap of 0.30 USD for this run.');
  });
});
