import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import type { Workbench } from '../driver/workbench.js';

type Options = Parameters<typeof openWorkbench>[0];

const simulated = { 'whetstone.model.target': 'simulated' };

/** What an empty view says, one window a state. */
describe('the first words', () => {
  const states: readonly (readonly [string, Omit<Options, 'link'>, 'Skills' | 'Runs', RegExp, ...string[]])[] = [
    ['no-folder', {}, 'Skills', /with skills, or try the demo/, 'Try the Demo'],
    ['no-skills', { workspace: 'no-skills' }, 'Skills', /No skill was found/, 'New Skill', 'Try the Demo'],
    ['no-model', { workspace: path.resolve('media/demo') }, 'Runs', /No model is chosen/, 'Choose Model'],
    ['no-tasks', { workspace: 'single' }, 'Runs', /No skill has tasks/, 'Draft Tasks'],
    [
      'untrusted',
      { workspace: path.resolve('media/demo'), trust: 'untrusted' },
      'Runs',
      /not trusted/,
      'Manage Workspace Trust',
    ],
  ];
  for (const [name, options, view, words, ...buttons] of states) {
    it(`${name}: says what is missing, with its buttons`, async function () {
      let workbench: Workbench | undefined;
      try {
        workbench = await openWorkbench({ link: [path.resolve('.')], ...options });
        if (name === 'no-tasks') await workbench.updateSettings(simulated);
        await workbench.openContainer('Whetstone');
        const pane = workbench.page.locator(`.pane:has(> .pane-header[aria-label^="${view} Section"])`).first();
        const content = pane.locator('.welcome-view-content');
        await content.filter({ hasText: words }).waitFor();
        assert.deepEqual(await content.locator('.monaco-button').allInnerTexts(), buttons);
        if (view === 'Runs') await workbench.tree('Skills').rows();
        await workbench.screenshot(`welcome-${name}`);
      } finally {
        await workbench?.close();
      }
    });
  }
});
