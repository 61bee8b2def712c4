import assert from 'node:assert/strict';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { report } from './reviewCases.js';
import { openForReviews, openReview, pressIn, readSkill, stage, waitForRow, waitForSkill } from './reviewDriver.js';

/** Everything that a person may have set against what a review needs. */
const against = {
  'diffEditor.renderSideBySide': true,
  'diffEditor.codeLens': false,
  'diffEditor.wordWrap': 'off',
  'diffEditor.hideUnchangedRegions.enabled': false,
  'diffEditor.ignoreTrimWhitespace': true,
  'editor.codeLens': false,
  'editor.wordWrap': 'off',
  'files.insertFinalNewline': true,
  'files.trimTrailingWhitespace': true,
  'files.associations': { '*.md': 'markdown', '*.proposal': 'plaintext' },
};

const autoSaves = ['off', 'afterDelay', 'onFocusChange'];

describe('a review against the person’s settings', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async function () {
    workbench = await openForReviews();
    await workbench.updateSettings(against);
  });
  after(() => workbench.close());

  for (const autoSave of autoSaves) {
    it(`works with everything set against it, and auto-save ${autoSave}`, async () => {
      const name = `hostile-${autoSave.toLowerCase()}`;
      await workbench.updateSettings({ 'files.autoSave': autoSave, 'files.autoSaveDelay': 300 });
      await stage(workbench, { ...report, name });
      await openReview(workbench, name);
      assert.equal((await workbench.diff.state()).mode, 'inline');
      await pressIn(workbench, /2 of 3/, 'Accept');
      await waitForSkill(workbench, name, (text) => text.includes('Render page 1'));
      await workbench.press('Control+Z');
      await waitForSkill(workbench, name, (text) => text === report.text);
      await pressIn(workbench, /3 of 3/, 'Reject');
      await workbench.quickInput.dismiss();
      await waitForRow(workbench, /2 of 2 · E2\b/);
      await workbench.page.locator('.tab.active:not(.dirty)').waitFor();
    });
  }

  it('goes on where a formatter rewrites the file when it is saved', async () => {
    const name = 'formatted';
    await workbench.updateSettings({ 'editor.formatOnSave': true, 'files.autoSave': 'off' });
    await stage(workbench, { ...report, name });
    await openReview(workbench, name);
    assert.equal((await workbench.diff.state()).mode, 'inline');
    await pressIn(workbench, /2 of 3/, 'Accept');
    const formatted = report.text.replaceAll(/^- /gm, '* ');
    await waitForSkill(workbench, name, (text) => text.includes('Render page 1') && text.includes('* Use the company'));
    assert.match(await workbench.toast(/changed its text once more/), /as a formatter does/);
    await waitForLine(workbench, '* Use the company font.');
    await waitForRow(workbench, /Not measured: 1 of 3 edits is in the file/);
    await waitForRow(workbench, /2 of 2 · E3\b/);
    await workbench.screenshot('review-formatted');
    await workbench.clearToasts();
    await pressIn(workbench, /1 of 2/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
    await pressIn(workbench, /1 of 1/, 'Reject');
    await workbench.quickInput.dismiss();
    await waitForRow(workbench, /Review finished/);
    for (const line of formatted.split('\n').filter((each) => each.startsWith('* '))) {
      assert.ok(readSkill(workbench, name).includes(line), line);
    }
    await workbench.updateSettings({ 'editor.formatOnSave': undefined });
  });

  it('is still side by side where the person has said so for proposals', async () => {
    const name = 'toggled';
    await stage(workbench, { ...report, name });
    await workbench.updateSettings({ '[whetstone-proposal]': { 'diffEditor.renderSideBySide': true } });
    await openReview(workbench, name);
    await workbench.page.locator('.monaco-diff-editor.side-by-side').waitFor();
    await waitForRow(workbench, /1 of 3/);
    await workbench.updateSettings({ '[whetstone-proposal]': undefined });
  });

  it('names the other roads where the person turned lenses off for proposals too', async () => {
    const name = 'no-lenses';
    await stage(workbench, { ...report, name });
    await workbench.updateSettings({ '[whetstone-proposal]': { 'diffEditor.codeLens': false } });
    await workbench.run('workbench.action.closeAllEditors');
    await workbench.run('whetstone.refresh');
    await workbench.palette('Whetstone: Review Proposed Edits');
    await workbench.quickInput.choose(`${name}/SKILL.md`);
    assert.match(await workbench.toast(/CodeLens is off/), /Ctrl\+Alt\+Y/);
    await workbench.screenshot('review-without-lenses');
    await workbench.threads.press(/E1 replaces/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
  });
});

/** Waits until the proposal itself has the line. */
async function waitForLine({ page }: Workbench, text: string): Promise<void> {
  await page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: text }).first().waitFor();
}
