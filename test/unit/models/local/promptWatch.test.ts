import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { PromptWatch } from '../../../../src/models/local/promptWatch.js';
import { guessInputTokens } from '../../../../src/models/tokens.js';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';

/** A prompt of so many words, which have a token of ours each and a little more. */
function prompt(words: number): ModelRequest {
  const content = Array.from({ length: words }, (_, at) => ['when', 'some', 'rule', 'says'][at % 4]).join(' ');
  return { role: 'target', messages: [{ role: 'user', content }], maxOutputTokens: 100, attempt: 1 };
}

describe('a prompt that the server cut', () => {
  it('is one that is longer than the context that the server told, and counted as what fits', () => {
    const watch = new PromptWatch();
    assert.equal(watch.isCut(prompt(1_000), 1_010, 4_096), false);
    assert.equal(watch.isCut(prompt(5_343), 4_096, 4_096), true);
    assert.equal(watch.isCut(prompt(6_000), 3_900, 4_096), true, 'whole messages were dropped');
    assert.equal(new PromptWatch().isCut(prompt(3_300), 1_200, 4_096), true, 'the oldest message was dropped');
  });

  it('is none that has room, however few tokens the server counts of it', () => {
    const watch = new PromptWatch();
    assert.equal(watch.isCut(prompt(1_000), 12, 8_192), false, 'the rest was in its store');
    assert.equal(watch.isCut(prompt(1_000), undefined, 8_192), false);
    assert.equal(watch.isCut(prompt(1_000), 0, 8_192), false);
  });

  it('is none where the server counts more than the context that it told: it has another by now', () => {
    assert.equal(new PromptWatch().isCut(prompt(5_343), 5_400, 4_096), false);
  });

  it('is seen without a word on the context where it has fewer tokens than words, and a context’s count of them', () => {
    assert.equal(new PromptWatch().isCut(prompt(5_343), 4_096, undefined), true);
    assert.equal(new PromptWatch().isCut(prompt(5_343), 4_000, undefined), false, 'that may be a way to count');
  });

  it('is seen without a word on the context where two prompts of different length are counted alike', () => {
    const watch = new PromptWatch();
    assert.equal(watch.isCut(prompt(1_000), 1_250, undefined), false);
    assert.equal(watch.isCut(prompt(5_000), 3_990, undefined), false);
    assert.equal(watch.isCut(prompt(6_000), 3_990, undefined), true);
  });

  it('is never seen in one that was read whole, whatever the tokenizer', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.82, max: 2, noNaN: true }),
        fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 12 }),
        fc.constantFrom(undefined, 4_096, 8_192, 32_768),
        (ratio, sizes, context) => {
          const watch = new PromptWatch();
          for (const size of sizes) {
            const said = Math.ceil(guessInputTokens(prompt(size)) * ratio);
            if (context !== undefined && said >= context - 1) continue;
            assert.equal(watch.isCut(prompt(size), said, context), false, `${size} words, ${said} tokens`);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
