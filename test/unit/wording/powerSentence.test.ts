import assert from 'node:assert/strict';
import { powerSentence } from '../../../src/wording/powerSentence.js';
import { english } from '../../../src/wording/translate.js';

describe('what a task set can detect, in a sentence', () => {
  const table = [
    { n: 0, sentence: '0 held-out tasks: nothing can be shown, 5 are the least.' },
    { n: 1, sentence: '1 held-out task: nothing can be shown, 5 are the least.' },
    {
      n: 5,
      sentence: '5 held-out tasks: +40 points is found about half the time, +20 less than one time in five.',
    },
    { n: 8, sentence: '8 held-out tasks: +40 points is found nine times in ten, +20 less than half the time.' },
    { n: 20, sentence: '20 held-out tasks: +40 points is found almost always, +20 eight times in ten.' },
    { n: 500, sentence: '500 held-out tasks: +40 points is found almost always, +20 almost always.' },
  ];
  for (const { n, sentence } of table) {
    it(sentence, () => assert.equal(powerSentence(n, english), sentence));
  }
});
