import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { onlyShortens } from '../../../../src/skill/edits/onlyShortens.js';

describe('a text that only shortens another', () => {
  const table: readonly [name: string, before: string, after: string, answer: boolean][] = [
    ['a line taken out', 'Be brief.\nBe kind.\n', 'Be brief.\n', true],
    ['words taken out of a line', 'Always be very brief.', 'Always be brief.', true],
    ['everything taken out', 'Be brief.', '', true],
    ['a repeated line taken out', 'Be brief.\nBe kind.\nBe brief.\n', 'Be kind.\nBe brief.\n', true],
    ['the same text', 'Be brief.', 'Be brief.', false],
    ['other white space alone', 'Be brief.\n\nBe kind.', 'Be brief.\nBe kind.', false],
    ['a shorter word in its place', 'Answer extensively.', 'Answer well.', false],
    ['another order', 'Be brief. Be kind.', 'Be kind. Be', false],
    ['something added', 'Be brief.', 'Be brief. Be kind.', false],
  ];
  for (const [name, before, after, answer] of table) {
    it(`${name} → ${answer ? 'yes' : 'no'}`, () => assert.equal(onlyShortens(before, after), answer));
  }

  it('is what taking out any words gives, and nothing else is needed', () => {
    const words = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), { maxLength: 12 });
    fc.assert(
      fc.property(words, (list) => {
        const before = list.map(([word]) => word).join(' ');
        const after = list.flatMap(([word, stays]) => (stays ? [word] : [])).join(' ');
        assert.equal(
          onlyShortens(before, after),
          list.some(([, stays]) => !stays),
        );
      }),
    );
  });
});
