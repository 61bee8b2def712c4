import assert from 'node:assert/strict';
import { plannedBatches } from '../../../../src/engine/stepPlans.js';
import type { RegisteredEnvironment } from '../../../../src/ports/environment.js';
import { environmentHooksOf } from '../../../../src/app/environments/environmentsFor.js';
import { aTrainingTask } from '../../../builders/aTask.js';

const plan = { epoch: 1, batchSize: 2, seed: 7 };
const nothing = { unseen: () => ({ regexSources: [], references: [], taskTexts: [] }) };

describe('what a registered environment adds to training', () => {
  it('is nothing where it only attempts tasks', () => {
    assert.equal(environmentHooksOf([environment({})], nothing), undefined);
  });

  it('is the plan of the batches of its own tasks; the rest come in the usual order', () => {
    const tasks = [...theirs('a', 'b', 'c'), aTrainingTask({ id: 'ours' })];
    const seen: (readonly string[])[] = [];
    const planning = environment({
      planBatches: (own, given) => {
        seen.push(own.map((task) => task.id));
        assert.deepEqual(given, plan);
        return [['c'], [], ['a', 'c']];
      },
    });
    const hooks = environmentHooksOf([planning], nothing);
    const ids = plannedBatches({ hooks }, tasks, plan).map((batch) => batch.map((task) => task.id));
    assert.deepEqual(ids, [['c'], ['a', 'c'], ['ours']]);
    assert.deepEqual(seen, [['a', 'b', 'c']]);
  });

  it('may not plan a task that is not there', () => {
    const hooks = environmentHooksOf([environment({ planBatches: () => [['held-out-task']] })], nothing);
    assert.throws(() => plannedBatches({ hooks }, theirs('a'), plan), /planned the task “held-out-task”/);
  });

  it('is the kind of a task, by which batches are evened out', () => {
    const tasks = theirs('x1', 'x2', 'x3', 'y1', 'y2', 'y3');
    const hooks = environmentHooksOf([environment({ taskType: (task) => task.id.slice(0, 1) })], nothing);
    const kinds = plannedBatches({ hooks }, tasks, plan).map((batch) => new Set(batch.map((task) => task.id[0])).size);
    assert.deepEqual(kinds, [2, 2, 2]);
  });
});

function environment(rest: Partial<RegisteredEnvironment>): RegisteredEnvironment {
  return { name: 'theirs', rollout: () => Promise.resolve({ kind: 'invalid', reason: 'not asked' }), ...rest };
}

function theirs(...ids: readonly string[]): ReturnType<typeof aTrainingTask>[] {
  return ids.map((id) => aTrainingTask({ id, prompt: `Do ${id}.`, environment: 'theirs' }));
}
