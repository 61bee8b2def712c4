import assert from 'node:assert/strict';
import { judgeAgreement, type LabelledGrade, type PassFail } from '../../../../src/gate/statistics/judgeAgreement.js';

describe('how far a judge agrees with a person', () => {
  it('is nothing without labels', () => assert.equal(judgeAgreement([]), undefined));

  it('is the share of labels, with its interval, and is low under 80 %', () => {
    const found = judgeAgreement([...many(8, 'pass', 'pass'), ...many(3, 'fail', 'fail'), ...many(3, 'fail', 'pass')]);
    assert.ok(found);
    const { interval, share, ...rest } = found;
    assert.deepEqual(
      [share, ...interval].map((each) => Math.round(each * 100)),
      [79, 52, 92],
    );
    assert.deepEqual(rest, {
      labels: 14,
      agreed: 11,
      standing: 'low',
      always: { label: 'pass', times: 8 },
      answers: { all: 14, agreed: 11 },
    });
  });

  for (const [what, labelled, standing] of [
    ['11 labels', [...many(6, 'pass', 'pass'), ...many(5, 'fail', 'fail')], 'too-few'],
    ['12 labels of both kinds', [...many(6, 'pass', 'pass'), ...many(6, 'fail', 'fail')], 'fine'],
    [
      '12 labels of one kind, though the judge gave both',
      [...many(9, 'pass', 'pass'), ...many(3, 'pass', 'fail')],
      'too-few',
    ],
    ['15 labels with exactly 80 %', [...many(12, 'pass', 'pass'), ...many(3, 'fail', 'pass')], 'fine'],
    ['a judge that always passes', [...many(6, 'pass', 'pass'), ...many(6, 'fail', 'pass')], 'low'],
  ] as const)
    it(`is ${standing} with ${what}`, () => assert.equal(judgeAgreement(labelled)?.standing, standing));

  it('counts an answer as a whole once all its criteria are labelled, and then by whether all of them hold', () => {
    const labelled: readonly LabelledGrade[] = [
      { answer: 'a', of: 2, label: 'fail', grade: 'fail' },
      { answer: 'a', of: 2, label: 'pass', grade: 'fail' }, // the whole fails either way
      { answer: 'b', of: 2, label: 'pass', grade: 'pass' },
      { answer: 'b', of: 2, label: 'pass', grade: 'fail' },
      { answer: 'c', of: 2, label: 'pass', grade: 'pass' }, // its other criterion is not labelled
    ];
    assert.deepEqual(judgeAgreement(labelled)?.answers, { all: 2, agreed: 1 });
  });
});

let last = 0;

function many(count: number, label: PassFail, grade: PassFail): readonly LabelledGrade[] {
  return Array.from({ length: count }, () => ({ answer: `${(last += 1)}`, of: 1, label, grade }));
}
