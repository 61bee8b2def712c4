import { strict as assert } from 'node:assert';
import { gridFor, metricScore, toGrid } from '../../../../src/gate/statistics/scores.js';

describe('the score under a metric', () => {
  const table = [
    { name: 'hard', scores: { hard: 1, soft: 0.5 }, metric: 'hard', expected: 1 },
    { name: 'soft', scores: { hard: 0, soft: 0.75 }, metric: 'soft', expected: 0.75 },
    { name: 'mixed', scores: { hard: 0, soft: 0.5 }, metric: 'mixed', expected: 0.25 },
    { name: 'a judge that says 7 is clamped', scores: { hard: 0, soft: 7 }, metric: 'soft', expected: 1 },
    { name: 'below zero is clamped', scores: { hard: -2, soft: 0 }, metric: 'hard', expected: 0 },
    { name: 'mixed clamps before it mixes', scores: { hard: 0, soft: 7 }, metric: 'mixed', expected: 0.5 },
    { name: 'not a number is invalid', scores: { hard: 0, soft: Number.NaN }, metric: 'soft', expected: undefined },
    {
      name: 'infinite is invalid, not full marks',
      scores: { hard: Number.POSITIVE_INFINITY, soft: 1 },
      metric: 'hard',
      expected: undefined,
    },
    {
      name: 'half of a mixed score missing is invalid',
      scores: { hard: 1, soft: Number.NaN },
      metric: 'mixed',
      expected: undefined,
    },
    {
      name: 'what the metric does not use may be broken',
      scores: { hard: 1, soft: Number.NaN },
      metric: 'hard',
      expected: 1,
    },
  ] as const;
  for (const { name, scores, metric, expected } of table) {
    it(name, () => assert.equal(metricScore(scores, metric), expected));
  }

  it('mixes by the weight of soft', () => {
    assert.equal(metricScore({ hard: 1, soft: 0 }, 'mixed', 0.25), 0.75);
  });
});

describe('the score on the grid', () => {
  const table = [
    { name: 'pass', score: 1, grid: 1, expected: 1 },
    { name: 'fail', score: 0, grid: 1, expected: 0 },
    { name: 'most of a pass is a fail', score: 0.99, grid: 1, expected: 0 },
    { name: 'a pass that lost its last bit in an addition is a pass', score: 1 - 1e-12, grid: 1, expected: 1 },
    { name: 'hundredths are rounded', score: 2 / 3, grid: 100, expected: 67 },
    { name: 'twentieths are rounded', score: 2 / 3, grid: 20, expected: 13 },
    { name: 'above one is clamped', score: 1.3, grid: 100, expected: 100 },
    { name: 'no score is invalid', score: undefined, grid: 100, expected: 'invalid' },
    { name: 'not a number is invalid', score: Number.NaN, grid: 1, expected: 'invalid' },
  ] as const;
  for (const { name, score, grid, expected } of table) {
    it(name, () => assert.equal(toGrid(score, grid), expected));
  }

  it('is pass or fail for hard scores, hundredths for others, coarser for thousands of pairs', () => {
    assert.deepEqual([gridFor('hard', 9000), gridFor('soft', 2000), gridFor('mixed', 2001)], [1, 100, 20]);
  });
});
