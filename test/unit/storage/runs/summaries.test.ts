import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { newRunId, runFolder } from '../../../../src/storage/runs/runFolder.js';
import { listRuns, writeSummary } from '../../../../src/storage/runs/summaries.js';
import { aMachine, aStore, scrapMachines } from '../../../builders/storage.js';

const schema = z.object({ skillKey: z.string(), score: z.number() });

describe('the summaries of runs', () => {
  after(scrapMachines);

  it('are given back as written', async () => {
    const store = await aStore(await aMachine());
    const runId = newRunId(store.clock.now());
    await writeSummary(store, schema, runId, { skillKey: 'k', score: 0.5 });
    assert.deepEqual(await listRuns(store, schema), [
      { runId, kind: 'verified', summary: { skillKey: 'k', score: 0.5 } },
    ]);
  });

  it('have the version that their fields need, so that an earlier one reads the others', async () => {
    const store = await aStore(await aMachine());
    const all = z.object({ skillKey: z.string(), known: z.unknown(), workers: z.unknown() }).partial();
    const versions = [];
    for (const more of [{}, { known: {} }, { known: {}, workers: [] }]) {
      const runId = newRunId(store.clock.now() + versions.length * 60_000);
      await writeSummary(store, all, runId, { skillKey: 'k', ...more });
      const text = await readFile(path.join(runFolder(store.places, runId), 'summary.json'), 'utf8');
      versions.push(JSON.parse(text).version);
    }
    assert.deepEqual(versions, [1, 2, 3]);
    assert.deepEqual(
      (await listRuns(store, all)).map(({ kind }) => kind),
      ['verified', 'verified', 'verified'],
    );
  });

  it('are listed newest first, and what cannot be read hides no other', async () => {
    const store = await aStore(await aMachine());
    const ids = [0, 1, 2, 3, 4].map((hour) => newRunId(Date.UTC(2026, 0, 15, hour)));
    const [good = '', broken = '', newer = '', unfinished = '', last = ''] = ids;
    await writeSummary(store, schema, good, { skillKey: 'k', score: 1 });
    await writeSummary(store, schema, last, { skillKey: 'k', score: 2 });
    await put(runFolder(store.places, broken), 'summary.json', '{');
    await put(runFolder(store.places, newer), 'summary.json', '{"format":"whetstone-summary","version":7}');
    await put(runFolder(store.places, unfinished), 'journal.jsonl', '');
    await put(path.join(store.places.workspaceState, 'runs', 'not-a-run'), 'summary.json', '{}');
    assert.deepEqual(
      (await listRuns(store, schema)).map(({ runId, kind }) => [runId, kind]),
      [
        [last, 'verified'],
        [unfinished, 'unfinished'],
        [newer, 'newer'],
        [broken, 'broken'],
        [good, 'verified'],
      ],
    );
  });

  it('of 200 runs are listed without reading a journal, about as fast as they are written', async () => {
    const store = await aStore(await aMachine());
    const ids = Array.from({ length: 200 }, (_, index) => newRunId(Date.UTC(2026, 0, 1) + index * 60_000));
    const began = performance.now();
    await Promise.all(ids.map((id, score) => writeSummary(store, schema, id, { skillKey: 'k', score })));
    const writing = performance.now() - began;
    await Promise.all(ids.map((id) => put(runFolder(store.places, id), 'journal.jsonl', 'not even a journal')));
    const start = performance.now();
    assert.equal((await listRuns(store, schema)).length, 200);
    const listing = performance.now() - start;
    assert.ok(listing < 3 * writing, `${Math.round(listing)} ms, written in ${Math.round(writing)} ms`);
  });

  it('have ids that sort by time', () => {
    const times = [Date.UTC(2025, 11, 31, 23, 59, 59), Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 0, 0, 1)];
    const ids = times.map(newRunId);
    assert.deepEqual(ids.toSorted(), ids);
  });
});

async function put(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, name), text);
}
