import assert from 'node:assert/strict';
import { costText } from '../../../src/cli/spendText.js';
import { leftOutText } from '../../../src/cli/resultText.js';
import { nightText } from '../../../src/cli/commands/night.js';
import { withoutRun } from '../../../src/app/nights/nightResult.js';
import { count } from '../../../src/wording/amounts.js';
import { english } from '../../../src/wording/translate.js';

describe('what a terminal says at the end of a run', () => {
  it('tells an edit that was left out by its text', () => {
    const edit = { op: 'append', content: '- Begin with `Audience:`.', rationale: '' } as const;
    const outcome = { kind: 'refused', reason: 'duplicate', detail: 'The document says this already.' } as const;
    assert.deepEqual(
      leftOutText([{ index: 0, edit, outcome }], (_, text) => text),
      ['Edits that were left out:', '  append “- Begin with `Audience:`.”: The document says this already.', ''],
    );
  });

  it('calls a night’s edits that nothing proves to review, not proposed', () => {
    const skill = withoutRun({ skillPath: '/a/SKILL.md', name: 'a' }, { outcome: 'proposed', reason: 'Undecided.' });
    const spend = { calls: 1, tokens: 9, usd: 0 };
    const night = { startedAt: 0, endedAt: 1, startedBy: 'person', stops: [], spend } as const;
    const open = nightText({ ...night, skills: [{ ...skill, verdict: 'inconclusive' }] });
    assert.match(open, /^a +to review +undecided/);
    assert.match(open, /^1 model call, 9 tokens\.$/m);
    const scores = { before: 0.25, after: 0.89, metric: 'mixed' } as const;
    const proved = nightText({ ...night, skills: [{ ...skill, ...scores, verdict: 'accepted' }] });
    assert.match(proved, /^a +proposed +improved +25 % → 89 %, with partial credit/);
  });

  it('writes large numbers in one form', () => {
    const spend = { calls: 1384, cachedCalls: 1200, failedCalls: 0, tokens: 59_296, usd: 0, exact: true };
    assert.match(costText(spend), /^1,384 model calls, 59,296 tokens, .*, 1,200 more from stored replies/);
    assert.match(costText({ ...spend, calls: 1 }), /^1 model call, /);
    assert.equal(count(1384, 'call', english), '1,384 calls');
  });
});
