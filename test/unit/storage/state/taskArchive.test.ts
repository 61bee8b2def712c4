import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recallSimilar } from '../../../../src/engine/consolidate/trainingTasks.js';
import { createRedactor } from '../../../../src/redaction/redactor.js';
import { redactingValues } from '../../../../src/redaction/redactValue.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { textHashOf } from '../../../../src/tasks/makeTask.js';
import { atOnce } from '../../../../src/tasks/steps.js';
import { taskArchiveOf } from '../../../../src/storage/state/taskArchive.js';
import { aCheck, aTrainingTask } from '../../../builders/aTask.js';
import { aMachine, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';

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
    await taskArchiveOf(store).add([task, { ...task, id: 'again' }], neverAborted);
    const [kept, ...others] = await taskArchiveOf(store).all();
    assert.deepEqual(others, []);
    const { side: _side, ...plain } = task;
    assert.deepEqual(kept, { ...plain, id: 'again' });
  });

  it('holds a bounded number of them, the newest', async () => {
    const store = await aStore(await aMachine());
    const many = Array.from({ length: 320 }, (_, index) => aTrainingTask({ id: `t${index}`, prompt: `Job ${index}.` }));
    await taskArchiveOf(store).add(many, neverAborted);
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
    await archive.add([a, b], neverAborted);
    await archive.add([{ ...a, id: 'a again' }], neverAborted);
    assert.deepEqual(
      (await archive.all()).map(({ id }) => id),
      ['b', 'a again'],
    );
  });

  it('keeps no secret, and knows the task by the hashes of its original', async () => {
    const opened = await aStore(await aMachine());
    const store = { ...opened, hide: redactingValues(createRedactor({ key: 'k' })) };
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const task = aTrainingTask({
      id: 'a',
      prompt: `Deploy with ${token}.`,
      context: `The token is ${token}.`,
      expectations: [`It says ${token}.`],
      references: [token],
      checks: [aCheck('contains', { text: token })],
      tools: [{ name: 'look', description: '', parameters: {}, result: token }],
    });
    await taskArchiveOf(store).add([task, aTrainingTask({ id: 'b', prompt: 'Plain.' })], neverAborted);
    assert.ok(!(await readFile(archiveFile(store), 'utf8')).includes(token));
    const [kept, plain] = await taskArchiveOf(store).all();
    assert.ok(kept !== undefined && plain !== undefined);
    assert.match(kept.prompt, /^Deploy with REDACTED_github-token_[0-9a-f]{12}\.$/);
    assert.equal(kept.contentHash, task.contentHash);
    assert.equal(textHashOf(kept), textHashOf(task));
    assert.equal(plain.textHash, undefined);

    await taskArchiveOf(store).add([task], neverAborted);
    assert.equal((await taskArchiveOf(store).all()).length, 2, 'the same task again');
  });

  it('recalls no task that the files still hold, secrets or not', async () => {
    const opened = await aStore(await aMachine());
    const store = { ...opened, hide: redactingValues(createRedactor({ key: 'k' })) };
    const prompt = `Deploy the shop with the token ghp_${'a1B2'.repeat(9)} before noon.`;
    const gone = aTrainingTask({ id: 'gone', prompt: `${prompt} Then write a note about it to the whole team.` });
    const task = aTrainingTask({ id: 'a', prompt });
    await taskArchiveOf(store).add([task, gone], neverAborted);
    const archive = await taskArchiveOf(store).all();
    const split = { training: [], heldOut: [], sealed: [], setAside: [] };
    const tonight = aTrainingTask({ id: 't', prompt: 'Deploy the shop before noon with the token of the vault.' });
    const input = { archive, split: { ...split, training: [tonight] }, present: [task, tonight] };
    const recalled = atOnce(recallSimilar(input, 5));
    assert.deepEqual(
      recalled.map(({ id }) => id),
      ['recall:gone'],
    );
  });

  it('is cleaned of what an earlier version stored, once', async () => {
    const opened = await aStore(await aMachine());
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const task = aTrainingTask({ id: 'a', prompt: `Deploy with ${token}.` });
    await taskArchiveOf(opened).add([task], neverAborted);
    assert.ok((await readFile(archiveFile(opened), 'utf8')).includes(token));
    const store = { ...opened, hide: redactingValues(createRedactor({ key: 'k' })) };
    await taskArchiveOf(store).clean(neverAborted);
    const clean = await readFile(archiveFile(store), 'utf8');
    assert.ok(!clean.includes(token));
    assert.deepEqual(
      (await taskArchiveOf(store).all()).map((each) => [each.contentHash, textHashOf(each)]),
      [[task.contentHash, textHashOf(task)]],
    );
    await taskArchiveOf(store).clean(neverAborted);
    assert.equal(await readFile(archiveFile(store), 'utf8'), clean);
  });

  it('is empty where its file was made elsewhere', async () => {
    const store = await aStore(await aMachine());
    await taskArchiveOf(store).add([aTrainingTask({ id: 'a' })], neverAborted);
    const file = archiveFile(store);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"a"', '"x"'));
    assert.deepEqual(await taskArchiveOf(store).all(), []);
  });
});

function archiveFile({ folder, places }: SkillStore): string {
  return path.join(folder, 'task-archives', `${places.skillId}.json`);
}
