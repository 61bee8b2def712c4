import assert from 'node:assert/strict';
import { archiveTraining, nightArchive } from '../../../../src/app/nights/nightArchive.js';
import { aCheck, aTrainingTask } from '../../../builders/aTask.js';
import { aMachine, aStore, calm, scrapMachines } from '../../../builders/storage.js';

describe('the archive of past tasks', () => {
  after(scrapMachines);

  it('gives back what was put in, each task once by its content', async () => {
    const store = await aStore(await aMachine());
    const task = aTrainingTask({
      id: 'a',
      prompt: 'Say hello.',
      context: 'Politely.',
      tags: ['greeting'],
      tools: [{ name: 'search', description: 'Searches.', parameters: { type: 'object' }, result: 'none' }],
      checks: [aCheck('contains', { text: 'hello' }), aCheck('regex', { pattern: 'x' }, true)],
    });
    await archiveTraining(store, [task, { ...task, id: 'again' }], calm);
    const [kept, ...others] = await nightArchive(store).all();
    assert.deepEqual(others, []);
    const { side: _side, ...plain } = task;
    assert.deepEqual(kept, { ...plain, id: 'again' });
  });

  it('holds a bounded number of them, the newest', async () => {
    const store = await aStore(await aMachine());
    const many = Array.from({ length: 320 }, (_, index) => aTrainingTask({ id: `t${index}`, prompt: `Job ${index}.` }));
    await archiveTraining(store, many, calm);
    const kept = await nightArchive(store).all();
    assert.equal(kept.length, 300);
    assert.equal(kept.at(-1)?.id, 't319');
  });

  it('is empty at first', async () => {
    assert.deepEqual(await nightArchive(await aStore(await aMachine())).all(), []);
  });
});
