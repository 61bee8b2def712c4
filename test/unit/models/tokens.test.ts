import assert from 'node:assert/strict';
import { assert as holds, property, string } from 'fast-check';
import { leastTokens, mostTokens } from '../../../src/models/tokens.js';

const seed = 20261119;

describe('the fewest tokens of a text', () => {
  it('are one for each word and for each three digits, and none for signs', () => {
    assert.equal(leastTokens('- Rule 12: state the facts, 1234 of them.'), 9);
    assert.equal(leastTokens('a'.repeat(17)), 2);
    assert.equal(leastTokens('…— !?'), 0);
    assert.equal(leastTokens(''), 0);
  });

  it('are the same in ASCII alone and beside a sign beyond it', () => {
    const text = string({ unit: 'binary-ascii', maxLength: 200 });
    holds(
      property(text, (ascii) => leastTokens(ascii) === leastTokens(`${ascii} …`)),
      { seed, numRuns: 500 },
    );
  });
});

describe('the most tokens of a text', () => {
  it('are never fewer than the fewest', () => {
    const text = string({ unit: 'grapheme', maxLength: 200 });
    holds(
      property(text, (any) => leastTokens(any) <= mostTokens(any)),
      { seed, numRuns: 500 },
    );
  });

  it('are half the letters of a word that can be spoken, and all of one that cannot', () => {
    assert.equal(mostTokens('state'), 3);
    assert.equal(mostTokens('Yellow'), 3);
    assert.equal(mostTokens('bcdfg'), 5);
    assert.equal(mostTokens('xkcd'), 4);
  });
});
