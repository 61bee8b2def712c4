import assert from 'node:assert/strict';
import { variantsOf } from '../../../../src/engine/consolidate/trainingTasks.js';
import { optionBounds, refuseBeyondBounds } from '../../../../src/engine/optionBounds.js';
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
    const all = [model, ...variantsOf([model], 13).map(({ task }) => task)];
    assert.equal(new Set(all.map(({ id }) => id)).size, 14);
    assert.equal(new Set(all.map(({ contentHash }) => contentHash)).size, 14);
  });

  it('are as many as are asked for, and more than there are ways to put it is refused', () => {
    assert.equal(variantsOf([model], 7).length, 7);
    assert.equal(variantsOf([model], 99).length, optionBounds['consolidate.variants']);
    assert.throws(() => refuseBeyondBounds({ consolidate: { variants: 14 } }), /variants” is 14, and the most is 13/);
    assert.deepEqual(variantsOf([model], 0), []);
  });

  it('ask for no form of their own', () => {
    for (const { task } of variantsOf([aTrainingTask()], 13)) {
      assert.doesNotMatch(task.prompt, /\b(?:brief|short|long|json|list of|bullet|format)\b/i);
    }
  });
});
