import assert from 'node:assert/strict';
import { nightLine } from '../../../../src/wording/harvest/nightLine.js';
import { nightNotes } from '../../../../src/wording/harvest/nightNotes.js';
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

  const lineOf = (sessions: NonNullable<Parameters<typeof nightLine>[0]['sessions']>): string =>
    nightLine({ ...night, sessions }, english).split('; ')[1] ?? '';

  it('says what came of it, what it took, and what it found in sessions', () => {
    assert.equal(nightLine(night, english), '2 proposals, 1 undecided, 0.11 USD, 6 min');
    assert.equal(
      nightLine({ ...night, sessions: { read: 14, waiting: 3 } }, english),
      '2 proposals, 1 undecided; 14 sessions read, 3 drafts waiting; 0.11 USD, 6 min',
    );
  });

  it('says that sessions could not be looked through or read, and not that there were none', () => {
    assert.equal(lineOf({ read: 0, waiting: 0, reason: 'No.' }), 'sessions could not be looked through');
    assert.equal(
      lineOf({ read: 0, waiting: 2, reason: 'No.' }),
      'sessions could not be looked through, 2 drafts waiting',
    );
    assert.equal(lineOf({ read: 0, waiting: 0, unread: { files: [1] } }), 'no new sessions, 1 file not read');
    assert.equal(
      lineOf({ read: 3, waiting: 1, left: 1, reason: 'A cap.', unread: { files: [1, 2] } }),
      '3 sessions read, 1 of them left for the next night, 1 draft waiting, 2 files not read',
    );
    const unread = { files: [{ source: 'opencode', path: '/db', why: 'no-sqlite' } as const], node: '20.1.0' };
    assert.deepEqual(nightNotes({ read: 0, reason: 'No.', unread, pushedOut: 2 }, english), [
      'Sessions could not be looked through: No.',
      '/db was not read: it is a SQLite database, and Node 20.1.0 cannot read one. Use Node 22.13 or newer, or Whetstone in VS Code.',
      '2 older drafts were dropped for them: more wait than are kept. Confirm or delete some.',
    ]);
    assert.deepEqual(nightNotes({ read: 1, reason: 'No.' }, english), ['Not all sessions were looked through: No.']);
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
      'no new sessions, 1 draft waiting',
    );
    assert.equal(nightLine({ ...stopped, sessions: { read: 0, waiting: 0 } }, english), 'no new sessions');
  });
});
