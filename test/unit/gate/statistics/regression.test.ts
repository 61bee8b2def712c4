import { strict as assert } from 'node:assert';
import { isBetter, isWorse } from '../../../../src/gate/statistics/losses.js';
import { emptyTally } from '../../../../src/gate/statistics/tally.js';

describe('a task that got worse beyond its noise', () => {
  const table = [
    { wins: 0, losses: 0, worse: false, why: 'nothing differed' },
    { wins: 0, losses: 1, worse: true, why: 'the only difference is a loss' },
    { wins: 0, losses: 3, worse: true, why: 'all of three are losses' },
    { wins: 1, losses: 2, worse: false, why: 'fewer than four, and one is a win' },
    { wins: 0, losses: 4, worse: true, why: '1/16' },
    { wins: 1, losses: 3, worse: false, why: '5/16' },
    { wins: 1, losses: 4, worse: false, why: '6/32 is above a tenth' },
    { wins: 1, losses: 6, worse: true, why: '8/128' },
    { wins: 2, losses: 6, worse: false, why: '37/256' },
    { wins: 4, losses: 4, worse: false, why: 'as many won as lost' },
    { wins: 8, losses: 0, worse: false, why: 'it won' },
  ];
  for (const { wins, losses, worse, why } of table) {
    it(`${wins} won, ${losses} lost → ${worse ? 'worse' : 'not worse'}: ${why}`, () => {
      assert.equal(isWorse({ ...emptyTally, wins, losses }), worse);
      assert.equal(isBetter({ ...emptyTally, wins: losses, losses: wins }), worse, 'its mirror');
    });
  }
});
