import assert from 'node:assert/strict';
import { fromUpstream, mergeKeyOf, upstreamKeys, upstreamPromptNamed } from '../../../src/prompts/upstreamPrompts.js';
import { validatePrompt } from '../../../src/prompts/renderPrompt.js';

describe('prompts under the names of SkillOpt', () => {
  for (const key of ['analyst_error', 'analyst_success', 'merge_failure', 'merge_success', 'merge_final', 'ranking']) {
    it(`${key} says what to do, and the data and the form of the reply follow`, () => {
      const template = upstreamPromptNamed(key)?.template;
      assert.ok(template !== undefined && upstreamKeys.includes(key));
      const text = fromUpstream('Find what is wrong.\n', template);
      validatePrompt({ path: key, text }, template.placeholders);
      assert.match(text, /^Find what is wrong\.\n\n/);
      assert.match(text, /# The current skill\n\n\{\{skill\}\}/);
      assert.match(text, /Reply with one JSON object and nothing else/);
    });
  }

  it('are taken as they stand where they hold our placeholders', () => {
    const template = upstreamPromptNamed('ranking')?.template;
    assert.ok(template);
    assert.equal(fromUpstream(template.text, template), template.text);
  });

  it('count for merges of failures, of successes, and of both', () => {
    const parts = ['failures:0:1', 'successes:1:0', 'final'].map((part) => mergeKeyOf(part));
    assert.deepEqual(parts, ['merge_failure', 'merge_success', 'merge_final']);
  });
});
