import assert from 'node:assert/strict';
import { historyText, preferencesText, type PastStep } from '../../../../src/engine/stages/history.js';
import type { ApplyReportRow, Edit } from '../../../../src/skill/edits/edit.js';

const one: Edit = { op: 'append', content: '- Say alpha.', rationale: '' };
const two: Edit = { op: 'replace', anchor: 'Be brief.', content: 'Be exact.', rationale: '' };

describe('the history that the optimizer is shown', () => {
  it('is empty where nothing was tried', () => assert.equal(historyText([], []), ''));

  it('says what each earlier step saw and what became of its edits', () => {
    const text = historyText([aStep({ patterns: [{ type: 'length', count: 3, description: 'Too long.' }] })], []);
    assert.match(text, /Step 1: reject \(2 of 5 failed\)/);
    assert.match(text, /- seen 3 times: Too long\./);
    assert.match(text, /- not taken: append: - Say alpha\./);
  });

  const words: readonly (readonly [name: string, step: Partial<PastStep>, says: RegExp])[] = [
    ['accepted', { action: 'accept_new_best' }, /- taken: append/],
    ['forced', { action: 'force_accept' }, /- taken: append/],
    ['tied', { action: 'keep_as_branch' }, /- kept for now, for the score stayed the same: append/],
    ['rejected alone', { action: 'reject' }, /- not taken: append/],
    [
      'rejected with another',
      { report: [row(one), row(two)] },
      /- not taken with 1 other: replace at “Be brief\.”: Be exact\./,
    ],
    [
      'without a place',
      {
        action: 'skip_no_change',
        report: [row(two, { kind: 'unmatched', reason: 'anchor-missing', detail: 'nowhere' })],
      },
      /- not applied \(nowhere\): replace/,
    ],
  ];
  for (const [name, step, says] of words) {
    it(`tells an edit that was ${name}`, () => assert.match(historyText([aStep(step)], []), says));
  }

  it('shows the last eight steps and the last twelve rejected edits', () => {
    const steps = Array.from({ length: 10 }, (_, index) => aStep({ step: index + 1 }));
    const rejected = Array.from({ length: 20 }, (_, index) => ({
      op: 'append',
      content: `rule ${index};`,
      reason: 'no',
    }));
    const text = historyText(steps, rejected);
    assert.ok(!text.includes('Step 2:') && text.includes('Step 3:') && text.includes('Step 10:'));
    assert.ok(!text.includes('rule 7;') && text.includes('rule 8;') && text.includes('rule 19;'));
  });

  it('shows why an edit of an earlier run was rejected', () => {
    const rejected = [{ op: 'insert_after', anchor: 'Rules', content: '- Hedge.', reason: 'it made answers worse' }];
    assert.match(historyText([], rejected), /- insert_after at “Rules”: - Hedge\. \(it made answers worse\)/);
  });

  it('shows what the person prefers, in a fence, and nothing where they said nothing', () => {
    assert.equal(preferencesText('  \n', { code: false }), '');
    assert.match(
      preferencesText('Plain words.', { code: false }),
      /owner of the skill prefers[\s\S]*```preferences-[0-9a-f]+\nPlain words\./,
    );
  });

  it('says that code may be changed where the person allows it', () => {
    assert.match(preferencesText('', { code: true }), /^# Code in fences\n\nThe owner of the skill allows edits/);
  });
});

function aStep(parts: Partial<PastStep>): PastStep {
  return { step: 1, action: 'reject', failed: 2, attempted: 5, patterns: [], report: [row(one)], ...parts };
}

function row(edit: Edit, outcome: ApplyReportRow['outcome'] = { kind: 'applied' }): ApplyReportRow {
  return { index: 0, edit, outcome };
}
