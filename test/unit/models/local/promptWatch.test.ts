import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isFull } from '../../../builders/few.js';
import { PromptWatch } from '../../../../src/models/local/promptWatch.js';
import { guessInputTokens, leastInputTokens } from '../../../../src/models/tokens.js';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';

/** A prompt of so many words, which have a token of ours each and a little more. */
function prompt(words: number): ModelRequest {
  return asking(Array.from({ length: words }, (_, at) => ['when', 'some', 'rule', 'says'][at % 4]).join(' '));
}

function asking(content: string): ModelRequest {
  return { role: 'target', messages: [{ role: 'user', content }], maxOutputTokens: 100, attempt: 1 };
}

/** Texts of every kind, with the tokens that tokenizers in use make of a character of theirs, from the fewest to the most. */
const kinds = [
  { text: 'When the customer writes about a refund, say what happens next and when. ', least: 0.19, most: 0.3 },
  { text: 'Когда клиент пишет о возврате, скажи, что произойдёт дальше и когда. ', least: 0.25, most: 0.5 },
  { text: 'عندما يكتب العميل عن استرداد المبلغ، قل ما سيحدث بعد ذلك ومتى. ', least: 0.25, most: 0.5 },
  { text: '12 4071 883 27 1940 5528 31 604 7712 95\n', least: 0.55, most: 1 },
  { text: '客户写信询问退款时，请说明接下来会发生什么以及何时发生。', least: 0.5, most: 1.1 },
  { text: '  if (count > limit) {\n    return left.map((each) => each.name);\n  }\n', least: 0.2, most: 0.4 },
];

/** A prompt of one of these kinds that has so many tokens where its tokenizer is this lean: 0 is the leanest, 1 the other end. */
function promptOf(tokens: number, { kind, lean }: { readonly kind: number; readonly lean: number }): ModelRequest {
  const { text, least, most } = kinds[kind] ?? { text: 'word ', least: 0.2, most: 0.2 };
  const length = Math.max(1, Math.floor(tokens / (least + (most - least) * lean)));
  return asking(text.repeat(Math.ceil(length / text.length)).slice(0, length));
}

const texts = fc.array(
  fc.record({
    kind: fc.nat(kinds.length - 1),
    lean: fc.double({ min: 0, max: 1, noNaN: true }),
    share: fc.double({ min: 0.02, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 12 },
);

/** What Ollama counts of a prompt that it cut: the context, one less, or since 0.30 half of it and some tokens of the start. */
const cutTo: readonly ((context: number) => number)[] = [
  (context) => context,
  (context) => context - 1,
  ...[4, 5, 24, 25].map((kept) => (context: number) => context - Math.floor((context - kept) / 2)),
];

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

  it('is none in prose after a table of figures, of which the same model makes far more tokens', () => {
    const watch = new PromptWatch();
    for (let at = 0; at < 5; at += 1) assert.equal(watch.isCut(prompt(500), 1_000, 4_096), false);
    const prose = prompt(2_600); // 3,274 tokens by our count
    assert.equal(watch.isCut(prose, 3_180, 4_096), false);
  });

  it('is none in a Russian text, whose letters are no tokens of their own', () => {
    const watch = new PromptWatch();
    const text = promptOf(3_100, { kind: 1, lean: 0.46 });
    assert.ok((text.messages[0]?.content ?? '').length > 8_000);
    for (let at = 0; at < 3; at += 1) assert.equal(watch.isCut(text, 3_100, 4_096), false);
    assert.ok(watch.fewest(text) < 3_100);
  });

  it('is seen where the server read half of its context, as Ollama does since 0.30', () => {
    assert.equal(new PromptWatch().isCut(prompt(4_000), 2_050, 4_096), true);
    assert.equal(new PromptWatch().isCut(prompt(1_630), 2_050, 4_096), false, 'it has as many tokens');
  });

  it('is seen where earlier messages were left out, whatever was read', () => {
    const long = prompt(5_000).messages;
    const request = { ...prompt(1), messages: [...long, ...prompt(700).messages, ...prompt(50).messages] };
    assert.equal(new PromptWatch().isCut(request, 1_000, 4_096), true);
    assert.equal(new PromptWatch().isCut({ ...request, messages: long }, 5_400, 8_192), false);
  });

  it('is never seen in one that was read whole, whatever is written there and before', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(4_096, 8_192), (given, context) => {
        const watch = new PromptWatch();
        for (const { share, ...text } of given) {
          const said = Math.floor(share * (context - 2));
          if (cutTo.some((cut) => cut(context) === said)) continue; // the same count by chance
          const request = promptOf(said, text);
          if (leastInputTokens(request) > said) continue; // no tokenizer makes so little of this one
          assert.equal(watch.isCut(request, said, context), false, JSON.stringify({ share, ...text }));
        }
      }),
      { numRuns: isFull ? 100 : 30 },
    );
  });

  it('is never missed in one that Ollama cut, whatever is written there and before', () => {
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...cutTo),
        fc.double({ min: 1.01, max: 4, noNaN: true }),
        (given, cut, times) => {
          const [last, ...before] = given;
          const context = 4_096;
          const watch = new PromptWatch();
          for (const { share, ...text } of before) {
            const said = Math.floor(share * (context - 2));
            watch.isCut(promptOf(said, text), said, context);
          }
          if (last === undefined) return;
          assert.equal(watch.isCut(promptOf(context * times, last), cut(context), context), true, JSON.stringify(last));
        },
      ),
      { numRuns: isFull ? 100 : 30 },
    );
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
      { numRuns: isFull ? 100 : 30 },
    );
  });
});
