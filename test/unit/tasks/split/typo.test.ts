import assert from 'node:assert/strict';
import { isTypo } from '../../../../src/tasks/split/typo.js';

describe('a slip of the pen', () => {
  const table: readonly (readonly [string, string, string, boolean])[] = [
    ['a letter too many', 'badger', 'badxger', true],
    ['a letter too few', 'badger', 'bager', true],
    ['another letter', 'badger', 'padger', true],
    ['two letters that changed places', 'badger', 'bagder', true],
    ['two slips in a short word', 'badger', 'padgers', false],
    ['two slips in a long word', 'negotiation', 'negociatoin', true],
    ['three slips in a long word', 'negotiation', 'legociatoin', false],
    ['a word of three letters', 'cat', 'bat', false],
    ['another word', 'badger', 'tapir', false],
    ['the beginning of a word', 'badger', 'bad', false],
    ['the same word', 'badger', 'badger', true],
  ];
  for (const [name, first, second, expected] of table) {
    it(`${expected ? 'is' : 'is not'} ${name}`, () => {
      assert.equal(isTypo(first, second), expected);
      assert.equal(isTypo(second, first), expected);
    });
  }
});
