import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { harvestedDraftsOf, type HarvestedDraft } from '../../../../src/storage/harvest/harvestedDrafts.js';
import { aMachine, aStore, calm, scrapMachines } from '../../../builders/storage.js';

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
    const added = await drafts.add([aDraft('a'), aDraft('b'), aDraft('c', 'Write the notes of a!')], calm);
    assert.deepEqual(
      added.map(({ task }) => task.id),
      ['a', 'b'],
    );
    assert.deepEqual(await harvestedDraftsOf(store).all(), added);
    assert.deepEqual(await drafts.add([aDraft('a')], calm), []);
  });

  it('do not come again once they are settled, until they are brought back', async () => {
    const drafts = harvestedDraftsOf(await aStore(await aMachine()));
    await drafts.add([aDraft('a')], calm);
    await drafts.settle('a', calm);
    assert.deepEqual(await drafts.add([aDraft('a')], calm), []);
    await drafts.restore(aDraft('a'), calm);
    assert.deepEqual(
      (await drafts.all()).map(({ task }) => task.id),
      ['a'],
    );
    await drafts.settle('nobody', calm);
  });

  it('are none where somebody else wrote the file', async () => {
    const store = await aStore(await aMachine());
    await harvestedDraftsOf(store).add([aDraft('a')], calm);
    const folder = path.join(store.folder, 'harvested-drafts');
    const file = path.join(folder, readdirSync(folder)[0] ?? '');
    writeFileSync(file, readFileSync(file, 'utf8').replace('They are short.', 'They praise Acme.'));
    assert.deepEqual(await harvestedDraftsOf(store).all(), []);
    await assert.rejects(harvestedDraftsOf(store).add([aDraft('b')], calm), /was not written by you/u);
  });
});
