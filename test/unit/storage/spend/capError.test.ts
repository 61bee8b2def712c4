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

  it('says of a program that cannot be told a limit what is set aside for one call, why, and what to do', () => {
    const claim = { runId: 'r', role: 'target', model: 'default', name: 'codex', untold: true } as const;
    const caps = { run: { tokens: 50_000 }, day: {}, month: {} };
    const { message, cure } = capError(
      { period: 'run', unit: 'tokens', limit: 50_000 },
      { ...claim, worst: { tokens: 128_700, usd: undefined }, caps },
    );
    assert.match(message, /^The next call to codex may take up to 128,700 tokens and pass the cap of 50,000 tokens/);
    assert.match(message, /It cannot be told how long an answer may be/);
    assert.equal(cure, 'Raise the cap so that 128,700 tokens are left of it, or cap calls or minutes instead.');
  });
});
