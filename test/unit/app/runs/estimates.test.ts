import assert from 'node:assert/strict';
import { emptySummary, noSpend, type RunSummary } from '../../../../src/engine/journal/runSummary.js';
import type { ModelIdentity } from '../../../../src/ports/languageModel.js';
import { paceOf, passCostOf } from '../../../../src/app/runs/estimates.js';
import { aSplit } from '../../../builders/aSplit.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';

const priced = { provider: 'openai', model: 'gpt-5-mini' };
const texts = { before: reading('Answer.'), after: reading('Answer in words.') };

describe('what one more pass costs', () => {
  it('is two calls a task, at the price of the target', () => {
    const { calls, usd } = cost(priced, {})(texts, aSplit({ heldOut: 8 }).heldOut);
    assert.equal(calls, 16);
    assert.ok(usd !== undefined && usd > 0 && usd < 0.05, String(usd));
  });

  it('counts the judge for each task that one grades', () => {
    const { heldOut } = aSplit({ heldOut: 8 }, (_side, index) => ({ expectations: index < 4 ? ['It is kind.'] : [] }));
    assert.equal(cost(priced, priced)(texts, heldOut).calls, 24);
    assert.equal(cost(priced, priced, 3)(texts, heldOut).calls, 40);
  });

  it('has no price where the target or a judge that is asked has none', () => {
    const { heldOut } = aSplit({ heldOut: 8 });
    const judged = aSplit({ heldOut: 8 }, () => ({ expectations: ['It is kind.'] })).heldOut;
    assert.equal(cost({}, priced)(texts, heldOut).usd, undefined);
    assert.equal(cost(priced, {})(texts, judged).usd, undefined);
    assert.notEqual(cost(priced, {})(texts, heldOut).usd, undefined, 'a judge that nobody asks needs no price');
  });

  it('is nothing on a simulated model, and more for longer texts', () => {
    const { heldOut } = aSplit({ heldOut: 8 });
    assert.equal(cost({ simulated: true }, {})(texts, heldOut).usd, 0);
    const longer = { ...texts, after: { skill: 'Answer. '.repeat(500), memory: 'Remember. '.repeat(500) } };
    assert.ok((cost(priced, {})(longer, heldOut).usd ?? 0) > (cost(priced, {})(texts, heldOut).usd ?? 0));
  });
});

describe('how fast earlier runs went', () => {
  const models = { target: new ScriptedModel(), optimizer: new ScriptedModel(), judge: new ScriptedModel() };
  const names = { target: 'ollama/m', optimizer: 'ollama/m', judge: 'ollama/m', simulated: false };
  const run = (targetTokens: number, optimizerTokens: number): RunSummary => ({
    ...emptySummary('run', 0),
    models: names,
    workedMs: 60_000,
    spend: {
      target: { ...noSpend, calls: 18, tokens: targetTokens },
      optimizer: { ...noSpend, calls: 2, tokens: optimizerTokens },
      judge: noSpend,
    },
  });

  it('is told of each role, over all runs on the same target', () => {
    const { made, measured } = paceOf([run(9_000, 8_000), run(9_000, 12_000)], 'ollama/m', { models, concurrency: 8 });
    assert.ok(measured);
    assert.deepEqual(made, {
      roles: {
        target: { calls: 36, tokens: 18_000 },
        optimizer: { calls: 4, tokens: 20_000 },
        judge: { calls: 0, tokens: 0 },
      },
      ms: 120_000,
    });
  });

  it('is a guess where none was on that target', () => {
    const pace = paceOf([run(9_000, 8_000)], 'ollama/other', { models, concurrency: 8 });
    assert.deepEqual([pace.measured, pace.made], [false, undefined]);
  });
});

function cost(target: Partial<ModelIdentity>, judge: Partial<ModelIdentity>, repeats = 1) {
  return passCostOf(
    { target: new ScriptedModel(target), judge: new ScriptedModel(judge) },
    { judge: { repeats } },
    undefined,
  );
}

function reading(skill: string) {
  return { skill, memory: undefined };
}
