import { strict as assert } from 'node:assert';
import { measuredPower, powerOf, powerSentence } from '../../../../src/gate/statistics/power.js';

describe('what a task set can detect', () => {
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
    it(sentence, () => assert.equal(powerSentence(n), sentence));
  }

  it('lies between its measured neighbours', () => {
    const { found20 } = powerOf(13);
    assert.ok(found20 > powerOf(12).found20 && found20 < powerOf(14).found20);
  });

  it('is what was measured where it was measured, and nothing below five tasks', () => {
    for (const row of measuredPower) assert.deepEqual(powerOf(row.n), row);
    assert.deepEqual(powerOf(4), { n: 4, found20: 0, found40: 0 });
  });
});
