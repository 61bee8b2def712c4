import assert from 'node:assert/strict';
import { explainHunks } from '../../../src/review/explainHunks.js';
import { fileAfter, nextStop, placesIn, type FileInReview } from '../../../src/review/proposalPlaces.js';
import { reviewState } from '../../../src/review/reviewHunks.js';

const skill = fileOf('SKILL.md', '1\n2\n3\n', '1\ntwo\n3\n');
const tone = fileOf('references/tone.md', '1\n2\n3\n4\n5\n', 'one\n2\n3\nfour\n5\n');
const decided = fileOf('references/terms.md', '1\n', '1\n');
const files = [skill, decided, tone];

describe('the changes of a proposal, counted over its files', () => {
  it('are numbered through all of them, and the last of a file says where the next one lies', () => {
    assert.deepEqual(placesIn(files, 0), [{ number: 1, of: 3, line: 1, nextIn: 'references/tone.md' }]);
    assert.deepEqual(placesIn(files, 2), [
      { number: 2, of: 3, line: 0, nextIn: undefined },
      { number: 3, of: 3, line: 3, nextIn: 'SKILL.md' },
    ]);
    assert.deepEqual(placesIn(files, 1), []);
  });

  it('name no other file where none has a change left', () => {
    assert.deepEqual(
      placesIn([decided, tone], 1).map(({ number, of, nextIn }) => [number, of, nextIn]),
      [
        [1, 2, undefined],
        [2, 2, undefined],
      ],
    );
    assert.equal(fileAfter([decided, tone], 1), undefined);
    assert.equal(fileAfter(files, 1), 'references/tone.md');
  });

  const steps = [
    ['from above the first', { file: 0, line: 0 }, [0, 1], [2, 3]],
    ['into the next file', { file: 0, line: 1 }, [2, 0], [2, 3]],
    ['from a file in which all is decided', { file: 1, line: 0 }, [2, 0], [0, 1]],
    ['within a file', { file: 2, line: 0 }, [2, 3], [0, 1]],
    ['from the end to the beginning', { file: 2, line: 3 }, [0, 1], [2, 0]],
  ] as const;
  for (const [name, from, next, previous] of steps) {
    it(`are gone through ${name}`, () => {
      const found = (['next', 'previous'] as const).map((step) => nextStop(files, from, step));
      assert.deepEqual(
        found.map((stop) => [stop?.file, stop?.line]),
        [next, previous],
      );
    });
  }

  it('end where nothing is open', () => {
    assert.equal(nextStop([decided], { file: 0, line: 0 }, 'next'), undefined);
  });
});

function fileOf(name: string, real: string, candidate: string): FileInReview {
  const texts = { base: real, proposed: candidate, hunks: {} };
  const { hunks } = reviewState({ texts, explained: explainHunks(texts, []), real, candidate });
  return { name, hunks, lineCount: candidate.split('\n').length };
}
