import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { harvestedDraftsOf, type HarvestedDraft } from '../../../../src/storage/harvest/harvestedDrafts.js';
import { aMachine, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';

function aDraft(id: string, prompt = `Write the notes of ${id}.`): HarvestedDraft {
  return {
    task: {
      id,
      prompt,
      expectations: ['They are short.'],
      checks: [{ check: 'contains', hidden: false, arguments: { text: 'notes' } }],
      tags: [],
      origin: 'session 0123',
      environment: 'chat',
    },
    source: 'codex',
    sessions: 2,
    corrected: false,
    by: 'rules',
    marks: [],
    skillBy: 'fired',
    minedAt: 1,
  };
}

describe('drafts out of sessions, as they wait', () => {
  after(scrapMachines);

  it('are given back as they were, each once by its words', async () => {
    const store = await aStore(await aMachine());
    const drafts = harvestedDraftsOf(store);
    const { added } = await drafts.add([aDraft('a'), aDraft('b'), aDraft('c', 'Write the notes of a!')], neverAborted);
    assert.deepEqual(
      added.map(({ task }) => task.id),
      ['a', 'b'],
    );
    assert.deepEqual(await harvestedDraftsOf(store).all(), added);
    assert.deepEqual((await drafts.add([aDraft('a')], neverAborted)).added, []);
  });

  it('give way to newer ones where too many wait, and are counted then', async () => {
    const drafts = harvestedDraftsOf(await aStore(await aMachine()));
    const many = Array.from({ length: 499 }, (_, at) => aDraft(`old${at}`));
    assert.equal((await drafts.add(many, neverAborted)).pushedOut, 0);
    const { added, pushedOut } = await drafts.add([aDraft('x'), aDraft('y'), aDraft('z')], neverAborted);
    assert.deepEqual([added.length, pushedOut, (await drafts.all()).length], [3, 2, 500]);
    assert.equal((await drafts.all())[0]?.task.id, 'old2');
  });

  it('do not come again once they are settled, until they are brought back', async () => {
    const drafts = harvestedDraftsOf(await aStore(await aMachine()));
    await drafts.add([aDraft('a')], neverAborted);
    await drafts.settle('a', neverAborted);
    assert.deepEqual((await drafts.add([aDraft('a')], neverAborted)).added, []);
    await drafts.restore(aDraft('a'), neverAborted);
    assert.deepEqual(
      (await drafts.all()).map(({ task }) => task.id),
      ['a'],
    );
    await drafts.settle('nobody', neverAborted);
  });

  it('are none where somebody else wrote the file', async () => {
    const store = await aStore(await aMachine());
    await harvestedDraftsOf(store).add([aDraft('a')], neverAborted);
    const folder = path.join(store.folder, 'harvested-drafts');
    const file = path.join(folder, readdirSync(folder)[0] ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replace('They are short.', 'They praise Acme.'));
    assert.deepEqual(await harvestedDraftsOf(store).all(), []);
    await assert.rejects(harvestedDraftsOf(store).add([aDraft('b')], neverAborted), /was not written by you/u);
  });
});
