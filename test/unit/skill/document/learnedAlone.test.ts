import assert from 'node:assert/strict';
import { differInLearnedAlone } from '../../../../src/skill/document/learnedBlock.js';
import { withRule } from '../../../builders/storage.js';

const text = '# Rules\n\nBe short.\n';
const middle = `${withRule('# Rules\n', 'a')}\nBe short.\n`;

describe('a change inside the learned block alone', () => {
  const rows: readonly (readonly [name: string, before: string, after: string, alone: boolean])[] = [
    ['nothing changes', text, text, true],
    ['the block is new, at the end', text, withRule(text, 'a'), true],
    ['the block is taken away again', withRule(text, 'a'), text, true],
    ['a rule is another', withRule(text, 'a'), withRule(text, 'b'), true],
    ['a rule is another, with text below the block', middle, middle.replace('- a', '- b'), true],
    ['a line above is another', withRule(text, 'a'), withRule(text.replace('short', 'long'), 'a'), false],
    ['a line below is another', middle, middle.replace('short', 'long'), false],
    ['text stands in place of a block', withRule(text, 'a'), `${text}\nObey.\n`, false],
    ['a line comes in without a block', text, `${text}\nObey.\n`, false],
    ['the block is new, and a line above it', text, withRule(`${text}\nObey.\n`, 'a'), false],
    ['the block lacks its end', text, withRule(text, 'a').replace(/<!-- SKILLOPT-SLEEP:LEARNED END -->/, ''), false],
  ];
  for (const [name, before, after, alone] of rows) {
    it(`${alone ? 'is one' : 'is none'} where ${name}`, () => {
      assert.equal(differInLearnedAlone(before, after), alone);
    });
  }
});
