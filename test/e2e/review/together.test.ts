import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { Workbench } from '../driver/workbench.js';
import { deletionAtTheEnd, report } from './reviewCases.js';
import { openReview, pressIn, readSkill, rowTexts, stage, waitForRow, waitForSkill } from './reviewDriver.js';

describe('reviews beside each other', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async function () {
    this.timeout(120_000);
    workbench = await openWorkbench({ link: [path.resolve('.')], workspace: 'no-skills' });
  });
  after(() => workbench.close());

  it('shows all proposals of a night in one scroll, each with its rows', async () => {
    await stage(workbench, report);
    await stage(workbench, deletionAtTheEnd);
    await workbench.palette('Whetstone: Refresh Skills');
    await workbench.palette('Whetstone: Review All Proposals');
    await workbench.editors.waitFor(/Proposed edits/);
    await waitForRow(workbench, /1 of 3: Three of five/);
    await waitForRow(workbench, /1 of 1: It says nothing/);
    await workbench.screenshot('review-list');
    await pressIn(workbench, /1 of 1: It says nothing/, 'Accept');
    await waitForSkill(workbench, deletionAtTheEnd.name, (text) => !text.includes('footer'));
    await pressIn(workbench, /1 of 3/, 'Why');
    assert.match((await workbench.threads.open())[0]?.label ?? '', /^E1 replaces/);
  });

  it('shows in one window what was decided in another, and applies nothing twice', async function () {
    this.timeout(120_000);
    const name = 'two-windows';
    await stage(workbench, { ...report, name });
    await openReview(workbench, name);
    const page = await workbench.page.context().newPage();
    const other = new Workbench(
      { page, session: workbench.session, serverLog: () => '', stop: () => page.close() },
      'dark',
    );
    await page.goto(workbench.page.url());
    await other.ready();
    await openReview(other, name);
    await pressIn(workbench, /1 of 3/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
    await waitForRow(other, /1 of 2: Cut-off/);
    await pressIn(other, /2 of 2/, 'Reject');
    await other.quickInput.dismiss();
    await waitForRow(workbench, /1 of 1: Cut-off/);
    await Promise.all([pressIn(workbench, /1 of 1/, 'Accept'), pressIn(other, /1 of 1/, 'Accept').catch(() => {})]);
    await waitForSkill(workbench, name, (text) => text.includes('Render page 1'));
    await other.page.waitForTimeout(1_000);
    assert.equal(readSkill(workbench, name).match(/Render page 1/g)?.length, 1);
    assert.equal(readSkill(workbench, name).match(/at most four charts/g)?.length, 1);
    await waitForRow(other, /All decided/);
    await page.close();
  });

  for (const turn of [1, 2]) {
    it(`loses nothing by a reload in the middle of a review (${turn} of 2)`, async function () {
      this.timeout(120_000);
      const name = `reloaded-${turn}`;
      await stage(workbench, { ...report, name });
      await openReview(workbench, name);
      const line = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line', {
        hasText: 'Render page',
      });
      await line.first().click();
      await workbench.press('End');
      await workbench.page.keyboard.type(' Mine.');
      await waitForRow(workbench, /2 of 3: Cut-off.*edited by you/);
      await pressIn(workbench, turn === 1 ? /1 of 3/ : /3 of 3/, turn === 1 ? 'Accept' : 'Reject');
      if (turn === 2) await workbench.quickInput.dismiss();
      await waitForRow(workbench, /of 2: Cut-off.*edited by you/);
      await workbench.page.locator('.tab.active:not(.dirty)').waitFor();
      const before = readSkill(workbench, name);
      await workbench.reload();
      await waitForRow(workbench, /of 2: Cut-off.*edited by you/);
      assert.equal(readSkill(workbench, name), before);
      assert.equal((await rowTexts(workbench)).filter((row) => /\d of 2:/.test(row)).length, 2);
      await pressIn(workbench, /Cut-off/, 'Accept');
      await waitForSkill(workbench, name, (text) => text.includes('look at it. Mine.'));
      await workbench.press('Control+Z');
      await waitForSkill(workbench, name, (text) => text === before);
    });
  }
});
