import assert from 'node:assert/strict';
import { costText } from '../../../src/cli/spendText.js';
import { leftOutText, resultText } from '../../../src/cli/resultText.js';
import { nightText } from '../../../src/cli/commands/night.js';
import { historyText } from '../../../src/cli/commands/proposals.js';
import { withoutRun } from '../../../src/app/nights/nightResult.js';
import { count } from '../../../src/wording/amounts.js';
import { english } from '../../../src/wording/translate.js';
import { rejectedSentence } from '../../../src/wording/verdictSentences.js';
import { emptySummary } from '../../../src/engine/journal/runSummary.js';
import { aReviewProposal, someFigures } from '../../builders/aReviewProposal.js';

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

  it('tells a gain of a night that was not shown from none, as the verdict itself does', () => {
    const spend = { calls: 1, tokens: 9, usd: 0 };
    const night = { startedAt: 0, endedAt: 1, startedBy: 'person', stops: [], spend } as const;
    const skill = withoutRun({ skillPath: '/a/SKILL.md', name: 'a' }, { outcome: 'nothing', reason: '' });
    const wordsOf = (because: 'tasks' | 'noise' | 'futile', interval?: readonly [number, number]): string => {
      const reason = rejectedSentence(someFigures({ before: 0.17, after: 0.83, n: 6 }), 'better', because);
      const found = { before: 0.17, after: 0.83, verdict: 'rejected', reason, interval } as const;
      return nightText({ ...night, skills: [{ ...skill, ...found }] }).split('\n')[0] ?? '';
    };
    assert.match(wordsOf('tasks'), /^a +nothing +not shown +17 % → 83 %/);
    assert.match(wordsOf('noise', [0.1, 0.9]), /^a +nothing +not shown +17 % → 83 %/);
    assert.match(wordsOf('noise', [-0.1, 0.9]), /^a +nothing +no improvement found +17 % → 83 %/);
    assert.match(wordsOf('noise'), /^a +nothing +no improvement found +17 % → 83 %/); // a night of an earlier version
    assert.match(wordsOf('futile', [0.1, 0.9]), /^a +nothing +no improvement found +17 % → 83 %/);
  });

  it('tells in the history what was found of a version since by the words of that verdict', () => {
    const version = { id: '1', at: 0, action: 'adopt', own: true, proposalId: 'p', document: 'skill' } as const;
    const hashes = { beforeHash: 'a', afterHash: 'b', files: [] };
    const reason = rejectedSentence(someFigures(), 'better', 'tasks');
    const measured = { kind: 'rejected', reason, figures: someFigures() } as const;
    const rows = historyText([
      { ...version, ...hashes, verdict: 'rejected', measured },
      { ...version, ...hashes, verdict: 'unmeasured', measured: undefined },
    ]).split('\n');
    assert.match(rows[0] ?? '', /adopt +not shown/);
    assert.match(rows[1] ?? '', /adopt +not measured/);
  });

  it('names the line that makes such a run once more, and drafts to confirm only where some wait', () => {
    const figures = someFigures({ before: 0.17, after: 0.83, n: 6 });
    const verdict = { kind: 'rejected', reason: rejectedSentence(figures, 'better', 'tasks'), figures } as const;
    const ended = { runId: 'r', summary: emptySummary('r', 0), proposalFile: undefined, noProposal: undefined };
    const said = (drafts: number): string =>
      resultText({ ...ended, proposal: aReviewProposal([], { verdict }) }, 'notes', plain, {
        models: ' --model m',
        run: ' --preset quick --model m',
        drafts,
      });
    assert.match(said(0), /^Then: whetstone optimize notes --preset quick --model m: with new/m);
    assert.match(said(0), /^Next: more held-out tasks: whetstone tasks draft notes --model m makes some; /m);
    assert.match(
      said(2),
      /: whetstone tasks confirm notes <id>\.\.\. makes good ones of your 2 drafts count, or whetstone tasks draft/,
    );
  });

  it('writes large numbers in one form', () => {
    const spend = { calls: 1384, cachedCalls: 1200, failedCalls: 0, tokens: 59_296, usd: 0, exact: true };
    assert.match(costText(spend), /^1,384 model calls, 59,296 tokens, .*, 1,200 more from stored replies/);
    assert.match(costText({ ...spend, calls: 1 }), /^1 model call, /);
    assert.equal(count(1384, 'call', english), '1,384 calls');
  });
});

const plain = { paint: (_: unknown, text: string): string => text };
