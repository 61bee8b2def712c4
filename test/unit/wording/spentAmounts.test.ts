import assert from 'node:assert/strict';
import { spentText } from '../../../src/wording/amounts.js';
import { english } from '../../../src/wording/translate.js';

describe('what a run has spent', () => {
  for (const [spend, said] of [
    [{ usd: 0.08, exact: true }, '0.08 USD'],
    [{ usd: 1.44, exact: false }, 'up to 1.44 USD'],
    [{ usd: 0.08, exact: true, capUsd: 0.5 }, '0.08 of 0.50 USD'],
    [{ usd: 1.44, exact: false, capUsd: 2 }, 'up to 1.44 of 2.00 USD'],
    [{ usd: 0, exact: false }, '0.00 USD'],
  ] as const)
    it(`is “${said}”`, () => {
      assert.equal(spentText(spend, english), said);
    });
});
