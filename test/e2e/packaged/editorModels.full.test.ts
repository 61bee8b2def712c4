import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { isChosen } from './isChosen.js';

/** A person who has no key of their own trains with what VS Code offers them. */
describe('a model that VS Code offers, in the window', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openWorkbench({
      vsix: path.resolve('whetstone.vsix'),
      workspace: path.resolve('media/demo'),
      link: [path.resolve('test/fixtures/modelExtension')],
    });
  });
  after(() => workbench.close());

  it('is chosen from what the window has', async function () {
    await workbench.palette('Whetstone: Choose Model');
    await workbench.quickInput.choose('Target');
    await workbench.screenshot('editor-models-found');
    await workbench.quickInput.choose('VS Code: echo');
    await workbench.screenshot('editor-models-listed');
    await workbench.quickInput.choose('small');
    await isChosen(workbench, 'vscode/echo/small');
  });

  it('answers when the connection is checked', async function () {
    await workbench.palette('Whetstone: Check Connection');
    await workbench.toasts.text(/The model answers\./);
    await workbench.screenshot('editor-models-checked');
    await workbench.clearToasts();
  });

  it('is named before a run, with who bills it', async function () {
    await workbench.palette('Whetstone: Optimize This Skill');
    await workbench.quickInput.choose('incident-summary');
    const said = await workbench.dialogs.text();
    await workbench.screenshot('editor-models-preflight');
    assert.match(said, /held-out and \d+ sealed tasks on vscode\/echo\/small\./);
    assert.match(said, /is billed by whoever brings it to VS Code/);
    await workbench.dialogs.press('Cancel');
  });
});
