import assert from 'node:assert/strict';
import { claudeWork } from '../../../../../src/models/agents/work/claudeWork.js';
import { codexWork } from '../../../../../src/models/agents/work/codexWork.js';
import { WorkStory } from '../../../../../src/models/agents/work/workStory.js';
import { workUsage } from '../../../../../src/models/agents/work/workUsage.js';
import { countedUsage } from '../../../../../src/models/agents/agentEvents.js';
import type { ModelUsage } from '../../../../../src/ports/languageModel.js';
import { aWorkTree } from '../../../../builders/aWorkTree.js';
import { aRequest } from '../../../../fakes/ScriptedModel.js';

const prompt = 'Write the changelog entry for the fix in the shop.';
const limits = { maxTokens: 400_000, maxTurns: 30, timeLimitMs: 60_000 };
const work = { fixture: aWorkTree({}), skill: undefined, mode: 'offered', limits, judges: [] } as const;
const request = { ...aRequest({ messages: [{ role: 'user', content: prompt }] }), work };
const aside = { inputTokens: 300_000, outputTokens: 100_000, exact: false };

/** Of two calls to its model that tell this. */
function booked(usage: unknown, end?: ModelUsage, text = 'Done.'): ModelUsage {
  const story = new WorkStory(claudeWork, prompt);
  for (const id of ['1', '2']) {
    const message = { id, model: 'm', usage, content: [{ type: 'text', text }] };
    for (const told of claudeWork.tell({ type: 'assistant', message })) story.take(told);
  }
  assert.ok(JSON.stringify(story.events).length > 0 && !JSON.stringify(story.events).includes('null'));
  return workUsage({ agent: claudeWork, request, story }, end);
}

describe('what an attempt of an agent is booked at', () => {
  it('is what its end tells, where the events tell no more', () => {
    const end = { inputTokens: 20_000, outputTokens: 90, exact: true, usd: 0.1 };
    assert.deepEqual(booked({ input_tokens: 10_000 }, end), end);
  });

  it('is what the events told, where the end tells less', () => {
    for (const end of [countedUsage(10, 5), countedUsage(1_000, 50)]) {
      const { inputTokens, exact } = booked({ input_tokens: 90_000 }, end);
      assert.deepEqual([inputTokens, exact], [180_000, false]);
    }
  });

  it('is at least what was written, by our own count', () => {
    const words = 'The harbour is quiet and the boats lie side by side. '.repeat(300);
    const { outputTokens, exact } = booked({ input_tokens: 9_000 }, countedUsage(18_000, 5), words);
    assert.ok(outputTokens > 6_000 && !exact, String(outputTokens));
  });

  const untold = { zero: 0, negative: -100_000, text: '12', part: 0.5, huge: 1e300, infinite: 1.7e308 };
  for (const [name, tokens] of Object.entries(untold))
    it(`is all that was set aside, as an estimate, where what was read is no count: ${name}`, () => {
      const usage = { input_tokens: tokens, cache_creation_input_tokens: tokens };
      for (const end of [undefined, countedUsage(10, 5), countedUsage(Number(tokens), Number(tokens), 1e300)])
        assert.deepEqual(booked(name === 'part' ? { input_tokens: tokens } : usage, end), aside);
    });

  it('is all that was set aside where nothing is told, or more than it can have taken', () => {
    assert.deepEqual(booked(undefined), aside);
    assert.deepEqual(booked({ input_tokens: 50_000_000 }), aside);
    const story = new WorkStory(codexWork, prompt);
    for (const end of [undefined, countedUsage(60_000_000, 5), countedUsage(3, 5)])
      assert.deepEqual(workUsage({ agent: codexWork, request, story }, end), aside);
  });

  it('has no price that such tokens cannot have cost', () => {
    for (const usd of [1e300, Infinity, -50, 0, 1_000])
      assert.equal(booked({ input_tokens: 10_000 }, { ...aside, inputTokens: 20_000, usd }).usd, undefined);
  });
});
