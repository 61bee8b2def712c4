import assert from 'node:assert/strict';
import { variantsOf } from '../../../../src/engine/consolidate/trainingTasks.js';
import { aTrainingTask } from '../../../builders/aTask.js';

const model = aTrainingTask({ id: 'refund', prompt: 'Answer the customer who wants a refund.', context: 'Order 7.' });

describe('synthetic variants', () => {
  it('ask the same under another wording, with the same context and checks', () => {
    const [variant] = variantsOf([model], 1);
    assert.ok(variant !== undefined && variant.task.prompt.includes(model.prompt));
    assert.notEqual(variant.task.prompt, model.prompt);
    assert.deepEqual(variant.task.checks, model.checks);
    assert.equal(variant.task.context, 'Order 7.');
    assert.equal(variant.madeFrom, 'refund');
  });

  it('have ids and content hashes of their own', () => {
    const all = [model, ...variantsOf([model], 4).map(({ task }) => task)];
    assert.equal(new Set(all.map(({ id }) => id)).size, 5);
    assert.equal(new Set(all.map(({ contentHash }) => contentHash)).size, 5);
  });

  it('are never more than there are ways to put it, and none where none is wanted', () => {
    assert.equal(variantsOf([model], 99).length, 4);
    assert.deepEqual(variantsOf([model], 0), []);
  });

  it('ask for no form of their own', () => {
    for (const { task } of variantsOf([aTrainingTask()], 4)) {
      assert.doesNotMatch(task.prompt, /\b(?:brief|short|long|json|list of|bullet|format)\b/i);
    }
  });
});
