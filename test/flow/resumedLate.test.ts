import assert from 'node:assert/strict';
import { cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { newRunId } from '../../src/storage/runs/runFolder.js';
import { aWorkspace } from '../builders/aWorkspace.js';
import { aSettableClock } from './nightWorkspace.js';

const hour = 3_600_000;

/** Old runs are cleared away while a run is at work, which may be one of them. */
describe('a run that goes on after a hundred days', () => {
  const clock = aSettableClock(Date.now());
  const workspace = aWorkspace({ clock });
  const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
  after(() => workspace.dispose());

  it('is not cleared away with the others of its time', async () => {
    const runs = path.join(workspace.folder, '.whetstone', 'runs');
    const { runId: whole } = await workspace.optimize();
    clock.set(clock.now() + hour);
    const cutOff = new AbortController();
    const paused = workspace.optimize({
      settings: { train: { seed: 7 } },
      signal: cutOff.signal,
      onEvent: (event) => (event.kind === 'stage' && event.stage === 'evaluate' ? cutOff.abort() : undefined),
    });
    await assert.rejects(paused);
    const { runs: listed } = await workspace.overview();
    const cut = listed.find(({ runId }) => runId !== whole)?.runId ?? '';
    await workspace.useCases().reject({ ...request, reason: undefined }, new AbortController().signal); // it keeps its run
    const copies = Array.from({ length: 25 }, (_, index) => newRunId(clock.now() + (index + 1) * hour));
    for (const copy of copies) cpSync(path.join(runs, whole), path.join(runs, copy), { recursive: true });
    clock.set(clock.now() + 100 * 24 * hour);

    const { runId, summary } = await workspace.optimize({ resume: { run: cut } });
    assert.equal(runId, cut);
    assert.equal(summary.outcome, 'proposed');
    assert.ok(!existsSync(path.join(runs, whole)), 'the others went');
    for (const file of ['journal.jsonl', 'summary.json', 'report.md'])
      assert.ok(existsSync(path.join(runs, cut, file)), file);
  });
});
