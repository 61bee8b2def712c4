import assert from 'node:assert/strict';
import {
  bestAttempt,
  hasFailed,
  meanOf,
  meanScore,
  pairScores,
  spreadOf,
  worstAttempt,
  type Attempt,
  type Metric,
} from '../../../../src/engine/stages/attempts.js';
import { aRollout, aScoredAttempt } from '../../../builders/aRollout.js';

const hard: Metric = { metric: 'hard', mixedWeight: 0.5 };
const soft: Metric = { metric: 'soft', mixedWeight: 0.5 };
const mixed: Metric = { metric: 'mixed', mixedWeight: 0.25 };

const mixedLuck = aRollout({
  scores: [{ hard: 1, soft: 1 }, { hard: 0, soft: 0.5 }, { hard: 0, soft: 0.75 }, 'invalid'],
});

describe('the attempts at one task', () => {
  const table: readonly (readonly [metric: Metric, mean: number, spread: number])[] = [
    [hard, 1 / 3, 1],
    [soft, 0.75, 0.5],
    [mixed, (1 + 0.125 + 0.1875) / 3, 0.875],
  ];
  for (const [metric, mean, spread] of table) {
    it(`have mean and spread under ${metric.metric}, without those that the world prevented`, () => {
      assert.ok(Math.abs((meanScore(mixedLuck, metric) ?? 0) - mean) < 1e-12);
      assert.ok(Math.abs(spreadOf(mixedLuck, metric) - spread) < 1e-12);
    });
  }

  it('have a best and a worst one under the metric', () => {
    assert.equal(bestAttempt(mixedLuck, soft)?.soft, 1);
    assert.equal(worstAttempt(mixedLuck, soft)?.soft, 0.5);
  });

  it('have failed as soon as one of them is short of full marks under the metric', () => {
    const half = aRollout({ scores: [{ hard: 1, soft: 0.5 }] });
    assert.equal(hasFailed(half, hard), false);
    assert.equal(hasFailed(half, soft), true);
    assert.equal(hasFailed(half, mixed), true);
    assert.equal(hasFailed(aRollout({ scores: [{ hard: 0.3, soft: 1 }] }), hard), true);
    assert.equal(hasFailed(mixedLuck, hard), true);
  });

  it('have no score at all where none was valid, and are left out of means', () => {
    const lost = aRollout({ scores: ['invalid', 'invalid'] });
    assert.equal(meanScore(lost, hard), undefined);
    assert.equal(spreadOf(lost, hard), 0);
    assert.equal(hasFailed(lost, hard), false);
    assert.equal(bestAttempt(lost, hard), undefined);
    assert.equal(meanOf([lost, aRollout({ scores: [{ hard: 1, soft: 1 }] })], hard), 1);
    assert.equal(meanOf([lost], hard), undefined);
  });

  it('tell nothing as a pair where thinking used up all room on both sides, and fail the one side where it did', () => {
    const thought = aScoredAttempt({ thoughtOnly: true });
    const passed = aScoredAttempt({ hard: 1, soft: 1 });
    const lost: Attempt = { kind: 'invalid', number: 1, reason: 'down', latencyMs: 1 };
    const rows: readonly (readonly [Attempt | undefined, Attempt | undefined, object])[] = [
      [thought, thought, { before: undefined, after: undefined }],
      [thought, passed, { before: 0, after: 1 }],
      [passed, thought, { before: 1, after: 0 }],
      [lost, thought, { before: undefined, after: 0 }],
      [undefined, passed, { before: undefined, after: 1 }],
    ];
    for (const [before, after, scores] of rows) assert.deepEqual(pairScores(before, after, hard), scores);
  });

  it('tell nothing as a pair where the model repeated itself without end on both sides, and fail the one side where it did', () => {
    const endless = aScoredAttempt({ endless: true });
    const thought = aScoredAttempt({ thoughtOnly: true });
    const passed = aScoredAttempt({ hard: 1, soft: 1 });
    assert.deepEqual(pairScores(endless, endless, hard), { before: undefined, after: undefined });
    assert.deepEqual(pairScores(endless, passed, hard), { before: 0, after: 1 });
    assert.deepEqual(pairScores(passed, endless, hard), { before: 1, after: 0 });
    assert.deepEqual(pairScores(endless, thought, hard), { before: 0, after: 0 }, 'not alike');
  });

  it('count each task the same, however often it was attempted', () => {
    const often = aRollout({
      scores: [
        { hard: 1, soft: 1 },
        { hard: 1, soft: 1 },
        { hard: 1, soft: 1 },
      ],
    });
    const once = aRollout({ scores: [{ hard: 0, soft: 0 }] });
    assert.equal(meanOf([often, once], hard), 0.5);
  });
});
