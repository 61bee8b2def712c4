import assert from 'node:assert/strict';
import { answersToOffer, type GradedAnswer } from '../../../../src/app/judge/gradedAnswers.js';
import type { PassFail } from '../../../../src/gate/statistics/judgeAgreement.js';
import { aTask } from '../../../builders/aTask.js';
import { anAttemptAt } from '../../../builders/runEvents.js';

describe('the answers that a person is asked about', () => {
  it('are as many that passed as that failed, where there are enough, and at most 24', () => {
    assert.deepEqual(gradesOf([...many(40, 'pass'), ...many(40, 'fail')]), { pass: 12, fail: 12 });
    assert.deepEqual(gradesOf([...many(40, 'pass'), ...many(3, 'fail')]), { pass: 21, fail: 3 });
    assert.deepEqual(gradesOf([...many(2, 'pass'), ...many(40, 'fail')]), { pass: 2, fail: 22 });
    assert.deepEqual(gradesOf(many(5, 'pass')), { pass: 5, fail: 0 });
  });

  it('are the same every time, in an order that is none of their grades', () => {
    const graded = [...many(12, 'pass'), ...many(12, 'fail')];
    const offered = answersToOffer(graded, new Set());
    assert.deepEqual(answersToOffer(graded.toReversed(), new Set()), offered);
    assert.deepEqual(
      offered.map(({ id }) => id),
      graded.map(({ id }) => id).toSorted(),
    );
  });

  it('are of other tasks before a second of one task, and of other answers before a second criterion of one', () => {
    const twoCriteria = [aGraded({ answer: 'a', id: '01' }), aGraded({ answer: 'a', id: '02' })];
    const ofOneTask = Array.from({ length: 23 }, (_, at) => aGraded({ answer: `b${at}`, task: 'other', id: `1${at}` }));
    const oneMore = aGraded({ answer: 'c', task: 'third', id: '99' });
    const offered = answersToOffer([...twoCriteria, ...ofOneTask, oneMore], new Set()).map(({ id }) => id);
    assert.equal(offered.length, 24);
    assert.ok(offered.includes('99') && offered.includes('01') && !offered.includes('02'));
    const next = answersToOffer([...twoCriteria, ...ofOneTask, oneMore], new Set(['01'])).map(({ id }) => id);
    assert.ok(!next.includes('01') && !next.includes('02'), 'of the answer that is labelled the other one comes last');
  });
});

function gradesOf(graded: readonly GradedAnswer[]): Readonly<Record<PassFail, number>> {
  const offered = answersToOffer(graded, new Set());
  const count = (wanted: PassFail): number => offered.filter(({ grade }) => grade === wanted).length;
  return { pass: count('pass'), fail: count('fail') };
}

function many(count: number, grade: PassFail): readonly GradedAnswer[] {
  return Array.from({ length: count }, (_, at) =>
    aGraded({
      id: `${((at * 7919) % 100_000) + (grade === 'pass' ? 0.5 : 0)}`,
      answer: `${grade} ${at}`,
      task: `${grade} ${at}`,
      grade,
    }),
  );
}

function aGraded(given: { id: string; answer: string; task?: string; grade?: PassFail }): GradedAnswer {
  const { id, answer, task = 'task', grade = 'pass' } = given;
  const event = anAttemptAt('evaluate', 1, { of: 'skill', at: task, hard: 1 });
  const judge = { judge: 'a-judge', prompt: 'p', criterion: 'c', words: 'It is kind.' };
  return { id, answer, grade, ...judge, task: aTask({ id: task }), event, at: 0 };
}
