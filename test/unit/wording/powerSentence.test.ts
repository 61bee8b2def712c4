import assert from 'node:assert/strict';
import { powerSentence } from '../../../src/wording/powerSentence.js';
import { english } from '../../../src/wording/translate.js';

describe('what a task set can detect, in a sentence', () => {
  const table = [
    { n: 0, sentence: 'With 0 held-out tasks no improvement can be shown; at least 5 are needed.' },
    { n: 1, sentence: 'With 1 held-out task no improvement can be shown; at least 5 are needed.' },
    {
      n: 5,
      sentence:
        'With 5 held-out tasks, a gain of 40 points is detected in about half of the runs, a gain of 20 in less than one run in five.',
    },
    {
      n: 8,
      sentence:
        'With 8 held-out tasks, a gain of 40 points is detected in 9 of 10 runs, a gain of 20 in less than half of the runs.',
    },
    {
      n: 20,
      sentence: 'With 20 held-out tasks, a gain of 40 points is detected almost always, a gain of 20 in 8 of 10 runs.',
    },
    {
      n: 500,
      sentence: 'With 500 held-out tasks, a gain of 40 points is detected almost always, a gain of 20 almost always.',
    },
  ];
  for (const { n, sentence } of table) {
    it(sentence, () => assert.equal(powerSentence(n, english), sentence));
  }
});
