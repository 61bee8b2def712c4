import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { readState } from '../../../../src/storage/files/sealedState.js';
import { harvestedDraftsOf, type HarvestedDraft } from '../../../../src/storage/harvest/harvestedDrafts.js';
import { rejectedEditsOf } from '../../../../src/storage/proposals/rejectedEdits.js';
import { newRunId, runFolder } from '../../../../src/storage/runs/runFolder.js';
import { listRuns, writeSummary } from '../../../../src/storage/runs/summaries.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { aMachine, aStore, calm, scrapMachines } from '../../../builders/storage.js';

const anEdit = { op: 'append', content: 'Be brief.', reason: 'No gain.' };
const aDraft: HarvestedDraft = {
  task: { id: 'a', prompt: 'Write notes.', expectations: [], checks: [], tags: [], origin: 's', environment: 'chat' },
  source: 'codex',
  sessions: 1,
  corrected: false,
  by: 'model',
  marks: [],
  skillBy: 'fired',
  minedAt: 1,
};

/** What a new field raised: a body as before it, the same with it, and how many it holds when it is read again. */
const raised = [
  {
    what: 'edits that were not shown to help',
    folder: 'rejected-edits',
    before: (store: SkillStore) => rejectedEditsOf(store).add([anEdit], calm),
    withField: (store: SkillStore) => rejectedEditsOf(store).add([{ ...anEdit, op: 'x', notShownOn: ['t'] }], calm),
    count: async (store: SkillStore) => (await rejectedEditsOf(store).all()).length,
  },
  {
    what: 'drafts that say what they stand on',
    folder: 'harvested-drafts',
    before: (store: SkillStore) => harvestedDraftsOf(store).add([aDraft], calm),
    withField: (store: SkillStore) =>
      harvestedDraftsOf(store).add(
        [{ ...aDraft, task: { ...aDraft.task, id: 'b', prompt: 'Sum it up.' }, ground: 'every-word' }],
        calm,
      ),
    count: async (store: SkillStore) => (await harvestedDraftsOf(store).all()).length,
  },
  {
    what: 'sessions that were mined',
    folder: 'harvested-drafts',
    before: (store: SkillStore) => harvestedDraftsOf(store).add([aDraft], calm),
    withField: (store: SkillStore) => harvestedDraftsOf(store).addMined(['mark'], calm),
    count: async (store: SkillStore) => (await harvestedDraftsOf(store).all()).length + (await minedOf(store)),
  },
];

describe('a stored file with a field that an earlier version does not know', () => {
  after(scrapMachines);

  for (const { what, folder, before, withField, count } of raised) {
    it(`says so by its version, and is read without it as ever: ${what}`, async () => {
      const store = await aStore(await aMachine());
      const file = `${folder}/${store.places.skillId}.json`;
      await before(store);
      assert.deepEqual([await versionIn(path.join(store.folder, file)), await count(store)], [1, 1]);
      await withField(store);
      assert.deepEqual([await versionIn(path.join(store.folder, file)), await count(store)], [2, 2]);
      const asItWas = { format: `whetstone-${folder}`, version: 1, schema: z.looseObject({}) };
      await assert.rejects(readState(store, { format: asItWas, file }), { code: 'store-newer' });
    });
  }

  it('says so by its version, and is read without it as ever: a run with its held-out tasks one by one', async () => {
    const store = await aStore(await aMachine());
    const schema = z.object({ known: z.string().optional() });
    const [former, latter] = [newRunId(0), newRunId(60_000)];
    await writeSummary(store, schema, former, {});
    await writeSummary(store, schema, latter, { known: 'each' });
    const versions = [former, latter].map((id) => versionIn(path.join(runFolder(store.places, id), 'summary.json')));
    assert.deepEqual(await Promise.all(versions), [1, 2]);
    assert.deepEqual(
      (await listRuns(store, schema)).map(({ kind }) => kind),
      ['verified', 'verified'],
    );
  });
});

async function minedOf(store: SkillStore): Promise<number> {
  return (await harvestedDraftsOf(store).mined()).size;
}

async function versionIn(file: string): Promise<unknown> {
  return z.object({ version: z.number() }).parse(JSON.parse(await readFile(file, 'utf8'))).version;
}
