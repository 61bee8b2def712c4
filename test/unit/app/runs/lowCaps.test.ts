import assert from 'node:assert/strict';
import { lowCapLines, startlessLines } from '../../../../src/app/runs/bound/lowCaps.js';

import { ScriptedModel } from '../../../fakes/ScriptedModel.js';

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

describe('a cap in tokens under which no call starts', () => {
  const identity = { provider: 'codex', endpoint: 'agent:codex', model: 'default', options: 'version=0.166.0' };
  const limitless = Object.assign(new ScriptedModel(identity), {
    takesMore: ({ maxOutputTokens }: { readonly maxOutputTokens: number }) => ({
      inputTokens: 600,
      outputTokens: 128_000 - maxOutputTokens,
    }),
  });
  const models = { target: limitless, optimizer: new ScriptedModel(), judge: limitless };

  it('is told before the run, once, with what is set aside and what to do', () => {
    assert.deepEqual(startlessLines(models, { run: { tokens: 50_000 }, day: { tokens: 200_000 }, month: {} }), [
      'The cap of 50,000 tokens starts no call to codex (0.166.0): it cannot be told how long an answer may be, so 128,000 tokens and the prompt are set aside for each call. Raise the cap above that, or cap calls or minutes instead.',
    ]);
    assert.equal(startlessLines(models, { run: {}, day: {}, month: { tokens: 128_000 } }).length, 1);
  });

  it('is not told where there is room, where none is set, or where the model can be told', () => {
    assert.deepEqual(startlessLines(models, { run: { tokens: 300_000 }, day: {}, month: {} }), []);
    assert.deepEqual(startlessLines(models, { run: {}, day: {}, month: {} }), []);
    const told = new ScriptedModel();
    const all = { target: told, optimizer: told, judge: told };
    assert.deepEqual(startlessLines(all, { run: { tokens: 1 }, day: {}, month: {} }), []);
  });
});
