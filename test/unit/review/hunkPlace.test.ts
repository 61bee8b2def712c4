import assert from 'node:assert/strict';
import { hunkAt, lastLine, lensLine, topLine } from '../../../src/review/hunkPlace.js';
import { explainHunks } from '../../../src/review/explainHunks.js';
import { reviewState, type ReviewedHunk } from '../../../src/review/reviewHunks.js';

describe('where the row of a change stands', () => {
  const cases = [
    ['a replaced line', 'a\nb\nc\n', 'a\nB\nc\n', 1, 1],
    ['an added block', 'a\nb\n', 'a\nx\ny\nb\n', 1, 2],
    ['a deletion: its row on the line after it, its reason under the line before', 'a\nb\nc\n', 'a\nc\n', 1, 0],
    ['a deletion at the end: on what is there', 'a\nb\nc\n', 'a\n', 1, 0],
    ['a deletion at the end without a line break', 'a\nb\nc', 'a', 0, 0],
    ['the first line', 'a\nb\n', 'A\nb\n', 0, 0],
    ['the last line without a line break', 'a\nb', 'a\nB', 1, 1],
    ['all of it', 'a\n', '', 0, 0],
  ] as const;
  for (const [name, real, candidate, first, last] of cases) {
    it(name, () => {
      const [hunk] = hunksOf(real, candidate);
      assert.ok(hunk);
      const lineCount = candidate.split('\n').length;
      assert.deepEqual([lensLine(hunk, lineCount), lastLine(hunk, lineCount)], [first, last]);
    });
  }

  it('is above the first change for the whole proposal, where nothing is folded', () => {
    assert.equal(topLine(hunksOf('1\n2\n3\n4\n5\n6\n7\n8\n', '1\n2\n3\n4\n5\n6\nseven\n8\n')), 4);
    assert.equal(topLine(hunksOf('1\n2\n', 'one\n2\n')), 0);
    assert.equal(topLine([]), undefined);
  });
});

describe('the change at a line', () => {
  const hunks = hunksOf('1\n2\n3\n4\n5\n6\n7\n', '1\nTWO\n3\n5\n6\nnew\n7\n');

  it('is found in the proposal', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map((line) => hunks.findIndex((each) => each === hunkAt(hunks, 'after', line))),
      [-1, 0, 1, 1, 1, 2, -1],
    );
  });

  it('is found in the file', () => {
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5, 6].map((line) => hunks.findIndex((each) => each === hunkAt(hunks, 'before', line))),
      [-1, 0, -1, 1, -1, 2, 2],
    );
  });
});

function hunksOf(real: string, candidate: string): readonly ReviewedHunk[] {
  const texts = { base: real, proposed: candidate, hunks: {} };
  return reviewState({ texts, explained: explainHunks(texts, []), real, candidate }).hunks;
}
