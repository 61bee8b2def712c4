import { strict as assert } from 'node:assert';
import { addPass, startCertification } from '../../../../src/gate/statistics/certification.js';
import { taskComparisons } from '../../../../src/gate/verdict/figures.js';

describe('the tasks of a certification, side by side', () => {
  const certification = addPass(startCertification({ n: 5, grid: 1 }), [
    { task: 0, before: 0, after: 1 },
    { task: 1, before: 1, after: 1 },
    { task: 2, before: 'invalid', after: 1 },
    { task: 3, before: 1, after: 0 },
    { task: 4, before: 0, after: 0 },
  ]);

  it('bear their names, and their place where one has none', () => {
    const rows = taskComparisons({ certification, metric: 'hard', taskIds: ['a', 'b', 'c'] });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['a', 'b', 'c', '4', '5'],
    );
  });

  it('say what each side passed, and what gave no score', () => {
    const [first, , third, fourth] = taskComparisons({ certification, metric: 'hard', taskIds: [] });
    assert.deepEqual([first?.before.passes, first?.after.passes], [0, 1]);
    assert.deepEqual([third?.before.valid, third?.before.invalid], [0, 1]);
    assert.deepEqual([fourth?.before.passes, fourth?.after.passes], [1, 0]);
  });
});
