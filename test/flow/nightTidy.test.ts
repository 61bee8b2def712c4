import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newRunId } from '../../src/storage/runs/runFolder.js';
import { aNightWorkspace, aSettableClock, silent, simulated, aNightRequest } from './nightWorkspace.js';

const name = 'incident-summary';
const day = 24 * 3_600_000;

describe('what nights leave behind', () => {
  const clock = aSettableClock(Date.now());
  const workspace = aNightWorkspace([name], { clock });
  const state = path.join(path.dirname(workspace.folder), 'state');
  const runs = path.join(workspace.folder, '.whetstone', 'runs');
  const forced = () => workspace.night(simulated(), { force: true });

  before(() => workspace.keepTasks(name, 8));
  after(() => workspace.dispose());

  it('is cleared away by a later night: runs of long ago, all but the newest twenty, and it is said', async () => {
    await forced();
    const [first = ''] = readdirSync(runs);
    for (let ago = 0; ago < 25; ago += 1)
      cpSync(path.join(runs, first), path.join(runs, newRunId(clock.now() - (100 + ago) * day)), { recursive: true });
    await forced();
    assert.equal(readdirSync(runs).length, 20);
    assert.ok(existsSync(path.join(runs, first)));
    assert.ok(workspace.told.includes(`${name}: 7 old runs were removed.`), workspace.told.join('\n'));
  });

  it('keeps the run whose proposal waits for the person, however old', async () => {
    const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
    const neverAborted = new AbortController().signal;
    const { pending, runs: listed } = await workspace.useCases(simulated()).overview(request, neverAborted);
    const made = listed.find(({ proposalId }) => proposalId === pending?.proposal.id);
    assert.ok(made !== undefined);
    clock.set(clock.now() + 400 * day);
    for (let ago = 0; ago < 25; ago += 1)
      cpSync(path.join(runs, made.runId), path.join(runs, newRunId(clock.now() - (100 + ago) * day)), {
        recursive: true,
      });
    const { skills } = await workspace.night(simulated({ optimizer: { malformed: 1 } }), { force: true });
    assert.equal(skills[0]?.outcome, 'nothing');
    assert.ok(existsSync(path.join(runs, made.runId)));
    assert.equal(readdirSync(runs).length, 21);
  });

  it('is cleared away a month later: replies and answers', async () => {
    const later = aSettableClock(Date.now());
    const fresh = aNightWorkspace([name], { clock: later });
    try {
      fresh.keepTasks(name, 8);
      await fresh.night(simulated());
      const kept = path.join(path.dirname(fresh.folder), 'state');
      const old = ['replies', 'texts'].map((kind) => filesIn(path.join(kept, kind)));
      for (const files of old) assert.ok(files.length > 0);
      later.set(later.now() + 31 * day);
      for (const file of old.flat()) utimesSync(file, 1, 1);
      await fresh.night(simulated({ seed: 2 }), { force: true });
      for (const file of old.flat()) assert.ok(!existsSync(file) || statSync(file).mtimeMs > 1000, file);
    } finally {
      fresh.dispose();
    }
  });

  it('is cleared away also by a night that trains nothing', async () => {
    clock.set(clock.now() + 2 * day);
    const leftover = path.join(state, '.spend.json.1.whetstone-tmp');
    writeFileSync(leftover, 'half');
    utimesSync(leftover, 1, 1);
    const { stops } = await workspace
      .useCases(simulated())
      .night(aNightRequest(workspace.folder, { trusted: false }), silent, new AbortController().signal);
    assert.notDeepEqual(stops, []);
    assert.ok(!existsSync(leftover));
  });
});

describe('drafts that a killed process left', () => {
  it('are swept when the next run starts, in the workspace and beside the tasks', async () => {
    const workspace = aNightWorkspace([name]);
    try {
      workspace.keepTasks(name, 8);
      await workspace.night(simulated());
      const folder = path.join(workspace.folder, '.whetstone');
      const left = [
        path.join(folder, '.split.json.0123456789ab.whetstone-tmp'),
        path.join(folder, 'runs', readdirSync(path.join(folder, 'runs'))[0] ?? '', '.summary.json.1.whetstone-tmp'),
        path.join(path.dirname(workspace.skillPath(name)), 'evals', '.evals.json.2.whetstone-tmp'),
      ];
      for (const file of left) {
        writeFileSync(file, 'half');
        utimesSync(file, 1, 1);
      }
      const fresh = path.join(folder, '.split.json.3.whetstone-tmp');
      writeFileSync(fresh, 'another window is at it');
      await workspace.night(simulated(), { force: true });
      assert.deepEqual(
        left.filter((file) => existsSync(file)),
        [],
      );
      assert.ok(existsSync(fresh));
    } finally {
      workspace.dispose();
    }
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
