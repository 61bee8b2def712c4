import assert from 'node:assert/strict';
import { reviewedSentences, waitingLines } from '../../../../src/wording/harvest/reviewedDrafts.js';
import { english } from '../../../../src/wording/translate.js';

describe('what is said once drafts were looked at', () => {
  it('is how many count now, how many wait, which to look at first, and what is missing', () => {
    assert.equal(said({ confirmed: 7, waiting: 0, singly: 0, counted: 7 }), '7 tasks are confirmed.');
    assert.equal(
      said({ confirmed: 1, waiting: 3, singly: 2, counted: 6 }),
      '1 task is confirmed. 3 drafts still wait. To look at first, one by one: 2. Tasks that count: 6. 7 are needed at least: two to learn from and 5 to prove it on.',
    );
    assert.match(
      said({ confirmed: 0, waiting: 1, singly: 0, counted: 9 }),
      /^No draft was confirmed\. 1 draft still waits\.$/,
    );
  });

  it('is before a run how many it does not use', () => {
    assert.deepEqual(waitingLines(0, english), []);
    assert.match(waitingLines(1, english).join(''), /^1 draft waits to be confirmed and is not used/);
    assert.match(waitingLines(4, english).join(''), /^4 drafts wait to be confirmed and are not used/);
  });
});

function said(reviewed: Parameters<typeof reviewedSentences>[0]): string {
  return reviewedSentences(reviewed, english).join(' ');
}
