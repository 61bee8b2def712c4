import assert from 'node:assert/strict';
import type { TaskComparison } from '../../../src/gate/verdict/verdict.js';
import { sideTexts } from '../../../src/wording/gateWords.js';

describe('a held-out task before and after', () => {
  it('is said in passes', () => {
    assert.deepEqual(sideTexts(aTask([0, 1, 0], [1, 1, 1]), passed), ['0/1', '1/1']);
    assert.deepEqual(sideTexts(aTask([0, 1, 0], [0, 1, 0]), passed), ['0/1', '0/1']);
  });

  it('is said in its score where only that changed: better with the same passes would be no news', () => {
    assert.deepEqual(sideTexts(aTask([0, 1, 0.25], [0, 1, 0.75]), passed), ['25 %', '75 %']);
    assert.deepEqual(sideTexts(aTask([1, 2, 0.75], [2, 4, 0.5]), passed), ['75 %', '50 %']);
  });

  it('is said in passes where a side has no result', () => {
    assert.deepEqual(sideTexts(aTask([0, 0, undefined], [0, 0, undefined]), passed), ['0/0', '0/0']);
  });
});

function passed(passes: number, valid: number): string {
  return `${passes}/${valid}`;
}

type Side = readonly [passes: number, valid: number, score: number | undefined];

function aTask(before: Side, after: Side): TaskComparison {
  const [old, current] = [before, after].map(([passes, valid, score]) => ({ passes, valid, invalid: 0, score }));
  assert.ok(old && current);
  return { id: 't1', before: old, after: current };
}
