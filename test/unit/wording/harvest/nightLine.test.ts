import assert from 'node:assert/strict';
import { nightLine } from '../../../../src/wording/harvest/nightLine.js';
import { english } from '../../../../src/wording/translate.js';

const aMinute = 60_000;

describe('a night in a line', () => {
  const night = {
    startedAt: 0,
    endedAt: 6 * aMinute,
    stops: [],
    skills: [
      { outcome: 'proposed', verdict: 'accepted' },
      { outcome: 'proposed', verdict: 'accepted' },
      { outcome: 'proposed', verdict: 'inconclusive' },
      { outcome: 'skipped', verdict: undefined },
    ],
    spend: { tokens: 12_000, usd: 0.11 },
  };

  it('says what came of it, what it took, and what it found in sessions', () => {
    assert.equal(nightLine(night, english), '2 proposals, 1 undecided, 0.11 USD, 6 min');
    assert.equal(
      nightLine({ ...night, sessions: { read: 14, waiting: 3 } }, english),
      '2 proposals, 1 undecided; 14 sessions read, 3 drafts waiting; 0.11 USD, 6 min',
    );
  });

  it('says that a night of seconds took less than a minute', () => {
    const spend = { tokens: 9, usd: 0 };
    for (const [ms, words] of [
      [3_000, 'less than a minute'],
      [29_999, 'less than a minute'],
      [aMinute, '1 min'],
    ] as const)
      assert.equal(nightLine({ ...night, skills: [], spend, endedAt: ms }, english), `0 proposals, 0.00 USD, ${words}`);
  });

  it('says tokens where the price is not known, and of a stopped night only what it read', () => {
    const spend = { tokens: 1200, usd: undefined };
    assert.equal(
      nightLine({ ...night, skills: [{ outcome: 'failed', verdict: undefined }], spend }, english),
      '0 proposals, 1 failed, 1,200 tokens, 6 min',
    );
    const stopped = { ...night, stops: ['nothing changed'], skills: [], spend: { tokens: 0, usd: 0 } };
    assert.equal(nightLine(stopped, english), '');
    assert.equal(
      nightLine({ ...stopped, sessions: { read: 0, waiting: 1 } }, english),
      '0 sessions read, 1 draft waiting',
    );
  });
});
