import assert from 'node:assert/strict';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { incidents, openDemo, whetstone } from './resultsDriver.js';

const skill = `${incidents}/SKILL.md`;
const written = '- Name the owner of every follow-up.';

/** The optimizer's memory of a skill: read and written as a document, forgotten after a yes, the same on the command line. */
describe('the notes of the optimizer, in the window', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async () => {
    workbench = await openDemo();
    await workbench.openFile(skill);
  });
  after(() => workbench.close());

  it('are opened, written and saved', async () => {
    await workbench.palette('Whetstone: Open the Optimizer’s Notes');
    await workbench.editors.waitFor(/incident-summary: notes of the optimizer/);
    assert.match(await workbench.toast(/no notes on this skill yet/), /never part of the skill/);
    await workbench.screenshot('notes-none');
    await workbench.clearToasts();
    await workbench.page.locator('.editor-instance .view-lines').last().click();
    await workbench.page.keyboard.type(written);
    await workbench.press('Control+S');
    await eventually(async () => !(await workbench.editors.isDirty()), 'the notes are stored');
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    await workbench.screenshot('notes-written-1000');
    assert.match(await whetstone(workbench, 'meta', 'show', skill), /Name the owner of every follow-up/);
  });

  it('are forgotten after a yes', async () => {
    await workbench.palette('Whetstone: Forget the Optimizer’s Notes');
    assert.match(await workbench.dialogs.text(), /Forget the notes of the optimizer on incident-summary\?/);
    await workbench.screenshot('notes-forget-1000');
    await workbench.dialogs.press('Forget');
    await workbench.toast(/The notes are forgotten/);
    await eventually(
      async () => !(await workbench.editors.lines()).join('').includes('owner'),
      'the document is empty',
    );
    await workbench.screenshot('notes-forgotten-1000');
    assert.doesNotMatch(await whetstone(workbench, 'meta', 'show', skill), /owner/);
  });
});
