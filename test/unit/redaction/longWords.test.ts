import assert from 'node:assert/strict';
import { seeded } from '../../../src/gate/rules/random.js';
import { longWordsIn } from '../../../src/redaction/longWords.js';

/** What parts words, what nearly does, and words of many lengths. */
const pieces = [
  ...Array.from(' \t\n\v\f\r"\'`<>\u00a0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'),
  ...Array.from('\0\u001f!(){}=,;\u007f\u0085\u009f\u200b\u2060“”–—あ😀'),
  ...[1, 5, 14, 15, 16, 17, 31, 32, 33, 70].map((length) => 'x'.repeat(length)),
];

describe('the long words of a text', () => {
  for (const shortest of [1, 16, 32]) {
    it(`are those that an expression finds, from ${shortest} characters on`, () => {
      const random = seeded(shortest);
      const expression = new RegExp(`[^\\s"'\`<>]{${shortest},}`, 'g');
      let met = 0;
      for (let round = 0; round < 2_000; round += 1) {
        const count = Math.floor(random() * 12);
        const text = Array.from({ length: count }, () => pieces[Math.floor(random() * pieces.length)] ?? '').join('');
        const found = [...text.matchAll(expression)].map(({ 0: word, index }) => ({
          start: index,
          end: index + word.length,
        }));
        assert.deepEqual(longWordsIn(text, shortest), found, JSON.stringify(text));
        met += found.length;
      }
      assert.ok(met > 500, `${met} words were met`);
    });
  }
});
