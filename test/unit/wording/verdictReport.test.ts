import assert from 'node:assert/strict';
import type { GateFigures, Verdict } from '../../../src/gate/verdict/verdict.js';
import { figureLines, verdictReport, warningsOf } from '../../../src/wording/verdictReport.js';
import { decideScores, printGateReport } from '../../../src/engine/certify/decideScores.js';
import { english } from '../../../src/wording/translate.js';
import { tooFewTasks, unmeasured } from '../../../src/wording/verdicts.js';
import { copiesWarning } from '../../../src/wording/verdictSentences.js';
import { someFigures } from '../../builders/aReviewProposal.js';

const fields =
  'kind reason cause cure rule metric before after difference interval p pTask alpha n notNeeded passes invalid fixed regressed warnings';

describe('a verdict as everyone shows it', () => {
  const verdicts: readonly Verdict[] = [
    accepted(),
    { kind: 'rejected', reason: 'Not shown.', figures: someFigures() },
    { kind: 'inconclusive', reason: 'Undecided.', cause: 'cap', cure: '6 more passes.', figures: someFigures() },
    tooFewTasks(3),
    unmeasured('gate-off'),
  ];
  for (const verdict of verdicts) {
    it(`${verdict.kind} (${'figures' in verdict && verdict.figures !== undefined ? 'measured' : 'without figures'}) has every field, null where there is no figure`, () => {
      const report = verdictReport(verdict);
      assert.deepEqual(Object.keys(report), fields.split(' '));
      assert.ok(Object.values(report).every((value) => value !== undefined));
    });
  }

  it('gives the figures as they were measured', () => {
    const { before, after, difference, interval, p, pTask, alpha, n, passes, invalid, fixed, regressed } =
      verdictReport(accepted());
    assert.deepEqual([before, after, difference, interval], [0.42, 0.81, 0.39, [0.2, 0.58]]);
    assert.deepEqual([p, pTask, alpha, n, passes, invalid], [0.004, 0.01, 0.0125, 12, 3, 0]);
    assert.deepEqual([fixed, regressed], [['t3', 't5'], ['t9']]);
  });

  it('says why and what would settle it only where something is open', () => {
    const open = verdictReport(tooFewTasks(3));
    assert.deepEqual([open.cause, open.cure], ['too-few-tasks', '2 more held-out tasks.']);
    assert.deepEqual([verdictReport(accepted()).cause, verdictReport(accepted()).cure], [null, null]);
    const off = verdictReport(unmeasured('gate-off'));
    assert.deepEqual([off.cause, off.cure], ['gate-off', null]);
  });

  it('says of a clear gain that was not shown how many held-out tasks would show it, as the gate then does', () => {
    const few = decided([true, true, true, true, false, false]);
    assert.equal(few.kind, 'rejected');
    assert.match(printGateReport(few), /^not shown: Not shown to be better across tasks/);
    assert.equal(
      few.cure,
      '2 held-out tasks more (the same on 8 would be shown), confirmed or drafted: with new held-out tasks the same edits may be tried again.',
    );
    assert.equal(decided([true, true, true, true, true, false, false, false]).kind, 'accepted');
  });

  it('has its numbers in lines, and none where nothing was measured', () => {
    assert.deepEqual(figureLines(verdictReport(accepted()), english), [
      'before 42 %, after 81 %, difference +39 points (95 % interval +20 points to +58 points)',
      'p 0.0040, across tasks 0.0100, alpha 0.0125',
      '12 tasks, 3 passes',
      'fixed: t3, t5; regressed: t9',
    ]);
    assert.deepEqual(figureLines(verdictReport(unmeasured('gate-off')), english), []);
    const early = verdictReport(accepted({ n: 5, notNeeded: 3, passes: 1 }));
    assert.equal(early.notNeeded, 3);
    assert.equal(figureLines(early, english)[2], '2 of 5 tasks, 1 pass');
  });

  it('warns of its own doubts first, then of a sealed part that fell', () => {
    const doubtful = accepted({ warnings: ['No task ever varied.'] });
    assert.deepEqual(warningsOf(doubtful), ['No task ever varied.']);
    const both = warningsOf(doubtful, { before: 0.75, after: 0.5, n: 4 });
    assert.equal(both.length, 2);
    assert.match(both[1] ?? '', /sealed tasks fell/);
    assert.deepEqual(verdictReport(doubtful, { before: 0.75, after: 0.5, n: 4 }).warnings, both);
    const same = accepted({ passes: 2, warnings: [copiesWarning(2), 'Another.'] });
    assert.deepEqual(warningsOf(same, undefined, { simulated: false }), [copiesWarning(2), 'Another.']);
    assert.deepEqual(warningsOf(same, undefined, { simulated: true }), ['Another.']);
    assert.deepEqual(warningsOf(accepted(), { before: 0.5, after: 0.75, n: 4 }), []);
  });
});

function eight(scores: readonly number[]) {
  return scores.map((score) => Array<number>(8).fill(score));
}

/** Tasks that never passed before, and of which these always pass afterwards. */
function decided(moved: readonly boolean[]) {
  return decideScores({ before: eight(moved.map(() => 0)), after: eight(moved.map(Number)) });
}

function accepted(more: Partial<GateFigures> = {}): Verdict {
  return { kind: 'accepted', reason: 'Better.', figures: someFigures(more) };
}
