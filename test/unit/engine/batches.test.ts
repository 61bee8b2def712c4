import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { batchesOf, chunksOf, stepsPerEpoch } from '../../../src/engine/stepPlans.js';
import { aTask } from '../../builders/aTask.js';

const plan = { epoch: 1, batchSize: 4, seed: 42 };

describe('batches', () => {
  it('hold every task once, in as many steps as an epoch has', () => {
    const sizes = fc.record({
      count: fc.integer({ min: 0, max: 60 }),
      batchSize: fc.integer({ min: 1, max: 50 }),
      accumulation: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(sizes, fc.integer(), ({ count, batchSize, accumulation }, seed) => {
        const tasks = someTasks(count, 3);
        const batches = batchesOf(tasks, { epoch: 2, batchSize, seed });
        const steps = chunksOf(batches, accumulation);
        assert.deepEqual(stepsPerEpoch(count, { batchSize, accumulation }), {
          steps: steps.length,
          batches: steps[0]?.length ?? 0,
        });
        assert.deepEqual(
          batches
            .flat()
            .map(({ id }) => id)
            .sort(),
          tasks.map(({ id }) => id).sort(),
        );
        assert.ok(batches.every((batch) => batch.length > 0 && batch.length <= batchSize));
      }),
    );
  });

  it('spread every kind of task evenly: no batch has more than its share, rounded up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }), fc.integer(), (kinds, size, seed) => {
        const tasks = someTasks(kinds * size * 4, kinds);
        for (const batch of batchesOf(tasks, { epoch: 1, batchSize: kinds * size, seed })) {
          for (let kind = 0; kind < kinds; kind++) {
            assert.ok(batch.filter(({ tags }) => tags[0] === `kind-${kind}`).length <= size + 1);
          }
        }
      }),
    );
  });

  it('are the same for the same seed and epoch, and others for another', () => {
    const tasks = someTasks(12, 1);
    assert.equal(ids(batchesOf(tasks, plan)), ids(batchesOf([...tasks], plan)));
    assert.notEqual(ids(batchesOf(tasks, plan)), ids(batchesOf(tasks, { ...plan, epoch: 2 })));
    assert.notEqual(ids(batchesOf(tasks, plan)), ids(batchesOf(tasks, { ...plan, seed: 43 })));
  });

  it('are cut into consecutive slices of which only the last may be short', () => {
    assert.deepEqual(chunksOf([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
    assert.deepEqual(chunksOf([], 3), []);
  });
});

function someTasks(count: number, kinds: number) {
  return Array.from({ length: count }, (_, index) => aTask({ id: `t${index}`, tags: [`kind-${index % kinds}`] }));
}

function ids(batches: ReturnType<typeof batchesOf>): string {
  return JSON.stringify(batches.map((batch) => batch.map(({ id }) => id)));
}
