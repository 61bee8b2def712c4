import assert from 'node:assert/strict';
import { leakedHoldOut } from '../../../../src/engine/consolidate/trainingTasks.js';
import { splitTasks } from '../../../../src/tasks/split/splitTasks.js';
import { aHeldOutTask, aSealedTask, aTask, aTrainingTask } from '../../../builders/aTask.js';

describe('a leaked hold-out', () => {
  it('is found where the split reports it', () => {
    const { split, leaks } = splitTasks(
      [
        aTask({ id: 'a', prompt: 'Summarise the outage of the payment service.', assigned: 'training' }),
        aTask({ id: 'b', prompt: 'Summarise the outage of the payment service.', assigned: 'heldOut', checks: [] }),
      ],
      new Map(),
    );
    assert.deepEqual(
      leakedHoldOut(split, leaks).map(({ id }) => id),
      ['b'],
    );
  });

  it('is found where one task plainly stands on both sides', () => {
    const tasks = {
      training: [aTrainingTask({ id: 'a' })],
      heldOut: [aHeldOutTask({ id: 'b' })],
      sealed: [],
      setAside: [],
    };
    assert.deepEqual(leakedHoldOut(tasks, []), [{ id: 'b', reason: 'it is the training task “a”' }]);
  });

  it('is not one where only a sealed task leaked: that decides nothing', () => {
    const sealed = aSealedTask({ id: 's' });
    const tasks = {
      training: [aTrainingTask({ prompt: 'x' })],
      heldOut: [aHeldOutTask({ prompt: 'y' })],
      sealed: [sealed],
      setAside: [],
    };
    assert.deepEqual(leakedHoldOut(tasks, [{ task: sealed, reason: 'it was a training task before' }]), []);
  });
});
