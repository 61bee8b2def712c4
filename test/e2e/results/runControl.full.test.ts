import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { incidents, openDemo } from './resultsDriver.js';
import { inFull } from '../driver/inFull.js';

/** A run of the person's own: what it says while it works, pause, resume, and how all of it is forgotten. */
describe('a run in the hands of the person', () => {
  let workbench: Workbench;
  let earlier: readonly string[] = []; // of scripts that had this window earlier
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo({ takesOver: true });
    earlier = runsIn(workbench);
    // Slow enough to be caught at work.
    await workbench.updateSettings({
      'whetstone.model.target': 'simulated?latency=250',
      'whetstone.caps.runUsd': 0.5,
    });
    await workbench.openContainer('Whetstone');
  });

  after(async () => workbench.close());

  it('says how far it is and what it spent, in the notification and in the tree', async function () {
    const tree = workbench.tree('Skills');
    await tree.action('incident-summary', 'Optimize This Skill');
    const words = /\d+ % · .*held-out tasks · 0\.00 of 0\.50 USD/;
    assert.match(await workbench.toasts.text(words), /^Optimizing incident-summary/);
    await eventually(
      async () =>
        (await tree.rows()).some(
          ({ label, description }) => label === 'incident-summary' && /^\d+ %/.test(description),
        ),
      'the tree says how far it is',
    );
    // At once: a picture that waits for the window to rest would wait for the end of the run.
    await workbench.page.screenshot({ path: 'out/screenshots/run-progress.png', animations: 'disabled' });
  });

  it('is paused from the tree, keeps what it asked, and says how it goes on', async function () {
    const tree = workbench.tree('Skills');
    await tree.action('incident-summary', 'Pause Run');
    await workbench.toast(/incident-summary is paused\. What it asked so far is stored/);
    await eventually(
      async () => (await tree.rows()).some(({ description }) => description.startsWith('paused, can go on')),
      'the tree says that it is paused',
    );
    await workbench.screenshot('run-paused');
  });

  inFull('goes on from the tree to its verdict, without asking anything twice', async function () {
    await workbench.clearToasts();
    const tree = workbench.tree('Skills');
    await tree.action('incident-summary', 'Resume Run');
    await workbench.toast(/incident-summary improved from/);
    await workbench.clearToasts();
    await workbench.screenshot('run-resumed');
    assert.equal(runsIn(workbench).length, earlier.length + 1, 'it is the same run');
  });

  it('is forgotten with all data of the skill, after asking; the skill stays', async function () {
    const text = skillText(workbench);
    assert.ok(workbench.session.workspace);
    const skillPath = path.join(workbench.session.workspace, incidents, 'SKILL.md');
    const asked = workbench.run('whetstone.deleteSkillData', skillPath);
    assert.match(await workbench.dialogs.text(), /The skill and its tasks stay as they are/);
    await workbench.screenshot('delete-data');
    await workbench.dialogs.press('Delete');
    await asked;
    await workbench.toast(/All data of the skill is deleted, 1 run among it/);
    const tree = workbench.tree('Skills');
    await eventually(
      async () =>
        (await tree.rows()).some(
          ({ label, description }) => label === 'incident-summary' && description === 'not trained yet',
        ),
      'the tree has forgotten the run',
    );
    assert.deepEqual(runsIn(workbench), earlier);
    assert.equal(skillText(workbench), text);
    await workbench.screenshot('delete-data-done');
  });
});

function runsIn({ session }: Workbench): readonly string[] {
  assert.ok(session.workspace);
  const runs = path.join(session.workspace, '.whetstone', 'runs');
  return existsSync(runs) ? readdirSync(runs) : [];
}

function skillText({ session }: Workbench): string {
  assert.ok(session.workspace);
  return readFileSync(path.join(session.workspace, incidents, 'SKILL.md'), 'utf8');
}
