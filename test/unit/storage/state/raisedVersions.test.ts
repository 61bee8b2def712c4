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
import { aMachine, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';

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

interface Raised {
  readonly what: string;
  readonly folder: string;
  readonly before: (store: SkillStore) => Promise<unknown>;
  readonly withField: (store: SkillStore) => Promise<unknown>;
  readonly count: (store: SkillStore) => Promise<number>;
  /** 2 where it is the first field that came later. */
  readonly version?: number;
}

/** What a new field raised: a body as before it, the same with it, and how many it holds when it is read again. */
const raised: readonly Raised[] = [
  {
    what: 'edits that were not shown to help',
    folder: 'rejected-edits',
    before: (store: SkillStore) => rejectedEditsOf(store).add([anEdit], neverAborted),
    withField: (store: SkillStore) =>
      rejectedEditsOf(store).add([{ ...anEdit, op: 'x', notShownOn: ['t'] }], neverAborted),
    count: async (store: SkillStore) => (await rejectedEditsOf(store).all()).length,
  },
  {
    what: 'drafts that say what they stand on',
    folder: 'harvested-drafts',
    before: (store: SkillStore) => harvestedDraftsOf(store).add([aDraft], neverAborted),
    withField: (store: SkillStore) =>
      harvestedDraftsOf(store).add(
        [{ ...aDraft, task: { ...aDraft.task, id: 'b', prompt: 'Sum it up.' }, ground: 'every-word' }],
        neverAborted,
      ),
    count: async (store: SkillStore) => (await harvestedDraftsOf(store).all()).length,
  },
  {
    what: 'sessions that were mined',
    folder: 'harvested-drafts',
    before: (store: SkillStore) => harvestedDraftsOf(store).add([aDraft], neverAborted),
    withField: (store: SkillStore) => harvestedDraftsOf(store).addMined(['mark'], neverAborted),
    count: async (store: SkillStore) => (await harvestedDraftsOf(store).all()).length + (await minedOf(store)),
  },
  {
    what: 'drafts that name several programs',
    folder: 'harvested-drafts',
    before: (store: SkillStore) => harvestedDraftsOf(store).add([aDraft], neverAborted),
    withField: (store: SkillStore) =>
      harvestedDraftsOf(store).add(
        [{ ...aDraft, task: { ...aDraft.task, id: 'b', prompt: 'Sum it up.' }, sources: ['codex', 'pi'] }],
        neverAborted,
      ),
    count: async (store: SkillStore) => (await harvestedDraftsOf(store).all()).length,
    version: 3,
  },
];

describe('a stored file with a field that an earlier version does not know', () => {
  after(scrapMachines);

  for (const { what, folder, before, withField, count, version = 2 } of raised) {
    it(`says so by its version, and is read without it as ever: ${what}`, async () => {
      const store = await aStore(await aMachine());
      const file = `${folder}/${store.places.skillId}.json`;
      await before(store);
      assert.deepEqual([await versionIn(path.join(store.folder, file)), await count(store)], [1, 1]);
      await withField(store);
      assert.deepEqual([await versionIn(path.join(store.folder, file)), await count(store)], [version, 2]);
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
