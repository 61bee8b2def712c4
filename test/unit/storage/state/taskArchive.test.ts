import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { taskArchiveOf } from '../../../../src/storage/state/taskArchive.js';
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
    await taskArchiveOf(store).add([task, { ...task, id: 'again' }], calm);
    const [kept, ...others] = await taskArchiveOf(store).all();
    assert.deepEqual(others, []);
    const { side: _side, ...plain } = task;
    assert.deepEqual(kept, { ...plain, id: 'again' });
  });

  it('holds a bounded number of them, the newest', async () => {
    const store = await aStore(await aMachine());
    const many = Array.from({ length: 320 }, (_, index) => aTrainingTask({ id: `t${index}`, prompt: `Job ${index}.` }));
    await taskArchiveOf(store).add(many, calm);
    const kept = await taskArchiveOf(store).all();
    assert.equal(kept.length, 300);
    assert.equal(kept.at(-1)?.id, 't319');
  });

  it('is empty at first', async () => {
    assert.deepEqual(await taskArchiveOf(await aStore(await aMachine())).all(), []);
  });

  it('moves what is added again to the end', async () => {
    const archive = taskArchiveOf(await aStore(await aMachine()));
    const [a, b] = ['a', 'b'].map((id) => aTrainingTask({ id, prompt: `Job ${id}.` }));
    assert.ok(a !== undefined && b !== undefined);
    await archive.add([a, b], calm);
    await archive.add([{ ...a, id: 'a again' }], calm);
    assert.deepEqual(
      (await archive.all()).map(({ id }) => id),
      ['b', 'a again'],
    );
  });

  it('is empty where its file was made elsewhere', async () => {
    const store = await aStore(await aMachine());
    await taskArchiveOf(store).add([aTrainingTask({ id: 'a' })], calm);
    const file = path.join(store.folder, 'task-archives', `${store.places.skillId}.json`);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"a"', '"x"'));
    assert.deepEqual(await taskArchiveOf(store).all(), []);
  });
});
