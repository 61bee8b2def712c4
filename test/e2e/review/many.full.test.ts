import assert from 'node:assert/strict';
import { stagedDecisions } from '../../builders/stageProposal.js';
import { again } from '../driver/again.js';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { Workbench } from '../driver/workbench.js';
import { deletionAtTheEnd, report } from './reviewCases.js';
import {
  chooseReview,
  openForReviews,
  openReview,
  placeOf,
  pressIn,
  readSkill,
  rowTexts,
  stage,
  waitForRow,
  waitForSkill,
} from './reviewDriver.js';
import { inFull } from '../driver/inFull.js';

const isFull = process.env['WHETSTONE_FULL'] === '1';
const reloads = isFull ? [1, 2] : []; // one is among the decisions

describe('many reviews, and many roads to a decision', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async function () {
    workbench = await openForReviews();
  });
  after(() => workbench.close());

  it('shows all proposals of a night in one scroll, each with its rows', async () => {
    await stage(workbench, report);
    await stage(workbench, deletionAtTheEnd);
    await workbench.run('whetstone.refresh');
    await workbench.palette('Whetstone: Review All Proposals');
    await workbench.editors.waitFor(/Proposed edits/);
    await waitForRow(workbench, /1 of 3 · E1\b/);
    await waitForRow(workbench, /1 of 1 · E1\b/);
    await workbench.screenshot('review-list');
    await pressIn(workbench, /1 of 1 · E1\b/, 'Accept');
    await waitForSkill(workbench, deletionAtTheEnd.name, (text) => !text.includes('footer'));
    await pressIn(workbench, /1 of 3/, 'Why');
    assert.match((await workbench.threads.open())[0]?.label ?? '', /^E1 replaces/);
  });

  inFull('opens the two answers to a task from a reason', async () => {
    const name = 'answers';
    await stage(workbench, { ...report, name, answers: { t3: ['No unit at all.', 'In metres.'] } });
    await openReview(workbench, name);
    await workbench.page.locator('.review-widget:visible a', { hasText: 't3' }).first().click();
    await workbench.editors.waitFor('t3: answer before ↔ after');
    const page = await workbench.webview('.columns article:nth-child(2) .text');
    assert.deepEqual(await page.locator('article .text').allInnerTexts(), ['No unit at all.', 'In metres.']);
  });

  for (const turn of reloads) {
    it(`loses nothing by a reload in the middle of a review (${turn} of 2)`, async function () {
      const name = `reloaded-${turn}`;
      await stage(workbench, { ...report, name });
      await openReview(workbench, name);
      const line = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line', {
        hasText: 'Render page',
      });
      await line.first().click();
      await workbench.press('End');
      await workbench.page.keyboard.type(' Mine.');
      await waitForRow(workbench, /2 of 3 · E2\b.*edited by you/);
      await pressIn(workbench, turn === 1 ? /1 of 3/ : /3 of 3/, turn === 1 ? 'Accept' : 'Reject');
      if (turn === 2) await workbench.quickInput.dismiss();
      await waitForRow(workbench, /of 2 · E2\b.*edited by you/);
      await workbench.page.locator('.tab.active:not(.dirty)').waitFor();
      const before = readSkill(workbench, name);
      await workbench.reload();
      await waitForRow(workbench, /of 2 · E2\b.*edited by you/);
      assert.equal(readSkill(workbench, name), before);
      await eventually(
        async () => (await rowTexts(workbench)).filter((row) => /\d of 2 · E/.test(row)).length === 2,
        'both changes have their row',
      );
      await pressIn(workbench, /of 2 · E2\b/, 'Accept');
      await waitForSkill(workbench, name, (text) => text.includes('look at it. Mine.'));
      await workbench.press('Control+Z');
      await waitForSkill(workbench, name, (text) => text === before);
    });
  }

  it('accepts in the tree what is checked, and rejects with the cross of a row', async function () {
    const name = 'road-tree';
    // A text of its own: one that another script had and took away would be known as moved, with its history.
    const ownText = report.text
      .replace('# PDF report', '# A road through the tree')
      .replace('name: pdf-report', `name: ${name}`);
    const skillPath = await stage(workbench, { ...report, name, text: ownText });
    await workbench.run('whetstone.refresh');
    await workbench.openContainer('Whetstone');
    const tree = workbench.tree('Skills');
    await tree.expand(name);
    const editRows = async (): Promise<readonly string[]> =>
      (await tree.rows()).map(({ label }) => label).filter((label) => /^E\d /.test(label));
    await eventually(async () => (await editRows()).length === 3, 'the three edits are in the tree');
    const [first = '', second = ''] = await editRows();
    await (await tree.row(first)).locator('.custom-view-tree-node-item-checkbox').click();
    await tree.action(second, 'Reject');
    await workbench.quickInput.choose('Unsafe');
    await waitForDecision(skillPath, 'E2', 'rejected');
    await workbench.screenshot('review-tree');
    const pressed = (row: string, action: string, holds: (text: string) => boolean): Promise<void> =>
      again(async () => {
        if (holds(readSkill(workbench, name))) return;
        await tree.action(row, action); // lost where the rows move in the very moment of the press
        await waitForSkill(workbench, name, holds, 5_000);
      });
    await pressed('Proposed edits', 'Accept Checked', (text) => !text.includes('Surprise'));
    assert.doesNotMatch(readSkill(workbench, name), /at most four charts|Render page 1/);
    await waitForDecision(skillPath, 'E3', 'accepted');
    await pressed(first, 'Accept', (text) => text.includes('at most four charts'));
    if (!isFull) return; // the history of a skill is looked at where results are
    await tree.expand('History');
    await tree.row('Version 2 · adopted'); // the other rows move when it comes, and a press on one that moves is lost
    await tree.action('Version 1 · adopted', 'Compare With the Skill Now');
    await workbench.editors.waitFor('Version 1: what changed since');
    const { added } = await workbench.diff.state();
    assert.ok(
      added.some((line) => line.includes('at most four charts')),
      added.join('\n'),
    );
  });

  inFull('accepts with a quick fix in the file, which has one quiet lens about the proposal', async function () {
    const name = 'road-fix';
    await stage(workbench, { ...report, name, text: report.text.replace('name: pdf-report', `name: ${name}`) });
    await workbench.run('whetstone.refresh');
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').click(name);
    const lens = workbench.page.locator('.editor-instance .codelens-decoration:visible', {
      hasText: 'Review 3 Proposed Edits',
    });
    await lens.waitFor();
    await workbench.page.locator('.editor-instance .view-line', { hasText: '3. Draw the charts.' }).first().click();
    const bulb = '.codicon-gutter-lightbulb, .codicon-gutter-lightbulb-auto-fix, .lightBulbWidget';
    await workbench.page.locator(bulb).first().waitFor();
    await workbench.press('Control+.');
    const fix = workbench.page.locator('.action-widget .monaco-list-row', {
      hasText: 'Accept Proposed Edit: E1 Three of five',
    });
    await fix.waitFor();
    await workbench.screenshot('review-quick-fix');
    await fix.click();
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
  });

  it('says what changed where the file is no longer the one of the run, and lists what no longer fits', async function () {
    const name = 'road-stale';
    const now = report.text
      .replace('3. Draw the charts.', '3. Draw no charts at all.')
      .replace('## Tables', '## Tables and lists');
    await stage(workbench, { ...report, name, now });
    await openReview(workbench, name);
    const said = await workbench.toast(/changed since the run/);
    assert.match(said, /these edits were not measured on it as it is now/);
    assert.match(said, /no longer fit: E1: /);
    await waitForRow(workbench, /E1 no longer fits: What Changed.*Not measured on this text/);
    await waitForRow(workbench, /1 of 2 · E2\b/);
    assert.equal(readSkill(workbench, name), now);
    await workbench.screenshot('review-stale');
    await workbench.toasts.press(/changed since the run/, 'Show What Changed');
    await workbench.editors.waitFor(/changed since the run/);
    const { added } = await workbench.diff.state();
    assert.ok(
      added.some((line) => line.includes('Draw no charts')),
      added.join('\n'),
    );
    await workbench.screenshot('review-what-changed');
  });

  // A second window opens for it, which takes as long as five other cases.
  if (isFull)
    it('shows in one window what was decided in another, and applies nothing twice', async function () {
      // Last, because the second window takes the place of the first as the one that runs commands
      const name = 'two-windows';
      await stage(workbench, { ...report, name });
      await openReview(workbench, name);
      const page = await workbench.page.context().newPage();
      const other = new Workbench({ page, session: workbench.session }, 'dark', () => page.close());
      await page.goto(workbench.page.url());
      await other.ready();
      await chooseReview(other, name);
      await pressIn(workbench, /1 of 3/, 'Accept');
      await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
      await waitForRow(other, /1 of 2 · E2\b/);
      await pressIn(other, /2 of 2/, 'Reject');
      await other.quickInput.dismiss();
      await waitForRow(workbench, /1 of 1 · E2\b/);
      // Either may be first; for the other the row is then gone.
      const pressed = [workbench, other].map((each) => pressIn(each, /1 of 1/, 'Accept'));
      for (const each of pressed) each.catch(() => {});
      await Promise.any(pressed);
      await waitForSkill(workbench, name, (text) => text.includes('Render page 1'));
      await other.page.waitForTimeout(1_000);
      assert.equal(readSkill(workbench, name).match(/Render page 1/g)?.length, 1);
      assert.equal(readSkill(workbench, name).match(/at most four charts/g)?.length, 1);
      await Promise.all([workbench, other].map((each) => waitForRow(each, /Review finished/)));
      await page.close();
    });

  async function waitForDecision(skillPath: string, id: string, kind: string): Promise<void> {
    const started = Date.now();
    while ((await stagedDecisions(placeOf(workbench), skillPath))?.[id]?.kind !== kind) {
      if (Date.now() - started > 15_000) throw new Error(`in vain: ${id} is ${kind}`);
      await workbench.page.waitForTimeout(100);
    }
  }
});
