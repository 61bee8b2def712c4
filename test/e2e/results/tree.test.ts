import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isFull } from '../../builders/few.js';
import { again } from '../driver/again.js';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { incidents, openDemo, reportFrame, seriousFindings, whetstone } from './resultsDriver.js';
import { inFull } from '../driver/inFull.js';

/** What a person sees of results, after runs that were accepted, rejected and left open. */
describe('results in the tree', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo({ takesOver: true });
    await workbench.openContainer('Whetstone');
  });

  after(async () => workbench.close());

  it('shows an accepted run: the score, what was fixed, the edits with boxes', async function () {
    const tree = workbench.tree('Skills');
    await tree.action('incident-summary', 'Optimize This Skill');
    await workbench.toast(/incident-summary improved from/);
    await workbench.clearToasts();
    await tree.expand('incident-summary');
    await tree.row('Gate: improved');
    await eventually(
      async () =>
        (await tree.rows()).some(
          ({ label, description }) => label === 'incident-summary' && description.startsWith('0 % → 100 % · improved'),
        ),
      'the tree says what came of it',
    );
    const rows = await tree.rows();
    assert.ok(rows.some(({ description }) => /^0\/\d+ → [1-9]\d*\/\d+ · (?:better|fixed)$/.test(description)));
    const boxes = workbench.page.locator('.pane-body .monaco-list-row .custom-view-tree-node-item-checkbox');
    assert.ok((await boxes.count()) > 0, 'open edits have boxes');
    const badge = workbench.page.locator('.activitybar .action-item:has(a[aria-label^="Whetstone"]) .badge-content');
    await eventually(async () => (await badge.innerText()) === '1', 'one skill has proposals');
    await workbench.screenshot('results-accepted');
  });

  inFull('finds the skill of an open file in the tree', async function () {
    await workbench.editors.open('code-review/SKILL.md');
    await workbench.palette('Whetstone: Show Skill in Tree');
    const row = await workbench.tree('Skills').row('code-review');
    await row.and(workbench.page.locator('.focused[aria-expanded="true"]')).waitFor();
    await row.press('ArrowLeft');
  });

  it('opens the two answers to a task with the checks and their reasons', async function () {
    const tree = workbench.tree('Skills');
    const rows = await tree.rows();
    const task = rows.find(({ description }) => /(?:better|fixed)$/.test(description));
    assert.ok(task);
    await tree.click(task.label);
    await workbench.page.locator('.tab.active', { hasText: `${task.label}: answer before` }).waitFor();
    const page = await workbench.webview('.columns .checks');
    assert.match(await page.locator('main').innerText(), /Request[^]*Before[^]*✗[^]*After/);
    await workbench.screenshot('results-answers');
  });

  inFull('draws the training report, in which axe finds nothing serious', async function () {
    await workbench.tree('Skills').action('Gate: improved', 'Show Report');
    const frame = await reportFrame(workbench);
    assert.equal((await frame.locator('section').count()) >= 5, true);
    if (isFull) assert.deepEqual(await seriousFindings(frame), [], 'with its tables closed');
    await workbench.screenshot('results-report');
    for (const summary of await frame.locator('summary').all()) await summary.click();
    assert.deepEqual(await seriousFindings(frame), []);
    assert.ok((await frame.locator('table').count()) >= 4, 'every chart has its table');
    await workbench.screenshot('results-report-tables');
  });

  inFull('can be read in high contrast as well: tree and report', async function () {
    await workbench.updateSettings({ 'workbench.colorTheme': 'Default High Contrast' });
    await workbench.page.locator('.monaco-workbench.hc-black').waitFor();
    assert.deepEqual(await seriousFindings(await reportFrame(workbench)), []);
    await workbench.screenshot('results-high-contrast');
    await workbench.updateSettings({ 'workbench.colorTheme': 'Dark Modern' });
    await workbench.page.locator('.monaco-workbench.vs-dark').waitFor();
  });

  inFull(
    'exports the report as one HTML file that stands alone, and as Markdown for a pull request',
    async function () {
      const frame = await reportFrame(workbench);
      await frame.locator('button', { hasText: 'Export HTML' }).click();
      const html = await savedAs(workbench, 'incident-summary-report.html');
      assert.doesNotMatch(html, /(?:src|href)="/, 'nothing is loaded from elsewhere');
      const page = await workbench.page.context().newPage();
      await page.setContent(html);
      await page.locator('#report h1').waitFor();
      assert.deepEqual(await seriousFindings(page.mainFrame()), []);
      assert.equal(await page.locator('button').count(), 0, 'a file has nothing to export');
      await page.close();
      await frame.locator('button', { hasText: 'Export as Markdown' }).click();
      const markdown = await savedAs(workbench, 'incident-summary-report.md');
      assert.match(markdown, /^# .*incident-summary/m);
      assert.match(markdown, /\*\*Improved\.\*\*/);
      await workbench.screenshot('results-exported');
      await workbench.clearToasts();
    },
  );

  inFull('shows the same report from the palette', async function () {
    await workbench.tree('Skills').click('incident-summary');
    await workbench.palette('Whetstone: Show Report');
    await workbench.page.locator('.tab.active', { hasText: 'Report: incident-summary' }).waitFor();
    await workbench.screenshot('results-report-palette');
  });

  let adopted: Promise<unknown> | undefined;
  const adopt = (): Promise<unknown> => (adopted ??= whetstone(workbench, 'adopt', incidents));

  // In the short numbers: its rows and its review, in the tests of the host.
  inFull('shows a run that the gate rejected, with the edits for looking at only', async function () {
    await workbench.run('workbench.action.closeAllEditors');
    await adopt();
    await whetstone(
      workbench,
      'optimize',
      incidents,
      '--preset',
      'quick',
      '--model',
      'simulated?useless=1&lapse=0.15&seed=2',
    );
    const tree = workbench.tree('Skills');
    await tree.row('Gate: no improvement found');
    await tree.row('Edits without proof');
    await tree.row('History');
    await workbench.screenshot('results-rejected');
  });

  inFull('shows what an adoption changed, and restores a version after asking', async function () {
    await workbench.run('workbench.action.closeAllEditors');
    await adopt();
    const tree = workbench.tree('Skills');
    await tree.expand('History');
    await tree.click('Version 1 · adopted');
    await workbench.page.locator('.tab.active', { hasText: 'Version 1: what it changed' }).waitFor();
    await workbench.screenshot('results-version');
    assert.deepEqual(await workbench.diff.cutOff(), [], 'both sides wrap');
    await compareWithNow();
    const skill = path.join(workbench.session.workspace ?? '', incidents, 'SKILL.md');
    const adoptedText = readFileSync(skill, 'utf8');
    writeFileSync(skill, `${adoptedText}\nMine.\n`);
    // The file that was just written lets the row be drawn anew, at times between the two halves of a click.
    await again(async () => {
      await tree.action('Version 1 · adopted', 'Restore This Version');
      await workbench.dialogs.appears();
    });
    await workbench.dialogs.press('Restore');
    await workbench.toast(/Version 1 is restored/);
    assert.equal(readFileSync(skill, 'utf8'), adoptedText);
    await workbench.clearToasts();
  });

  /** The same kind of diff, of other texts. */
  async function compareWithNow(): Promise<void> {
    await workbench.tree('Skills').action('Version 1 · adopted', 'Compare With the Skill Now');
    await workbench.page.locator('.tab.active', { hasText: 'Version 1: what changed since' }).waitFor();
    await workbench.screenshot('results-version-now');
    assert.deepEqual(await workbench.diff.cutOff(), [], 'both sides wrap');
  }

  inFull('has ticked off in the walkthrough what was done before anybody opened it', async function () {
    await workbench.palette('Welcome: Open Walkthrough...');
    await workbench.quickInput.choose('Get Started with Whetstone');
    const steps = workbench.page.locator('.getting-started-step');
    await steps.nth(6).waitFor();
    for (const step of ['Choose a model', 'Add tasks', 'Optimize the skill', 'Review the edits']) {
      await steps.filter({ hasText: step }).locator('.codicon.complete').waitFor();
    }
    assert.equal(await steps.filter({ hasText: 'Train at night' }).locator('.codicon.complete').count(), 0);
    await workbench.screenshot('walkthrough-ticked');
  });
});

/** Takes the place that the dialog offers, and gives what was written there. */
async function savedAs(workbench: Workbench, name: string): Promise<string> {
  assert.ok(workbench.session.workspace);
  await workbench.page.locator('.quick-input-widget:visible .quick-input-box input').first().waitFor();
  await workbench.press('Enter');
  await workbench.toast(new RegExp(`The report is written to ${name.replace('.', '\\.')}`));
  return readFileSync(path.join(workbench.session.workspace, name), 'utf8');
}
