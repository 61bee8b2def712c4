import assert from 'node:assert/strict';
import type { Workbench } from '../driver/workbench.js';
import { incidents, openDemo, reportFrame, seriousFindings, whetstone } from './resultsDriver.js';

/** One of each in the other themes: tree, report, an empty view, and the walkthrough. */
describe('results in other themes', () => {
  for (const theme of ['light', 'high-contrast-dark'] as const) {
    it(`${theme}: tree and report can be read`, async function () {
      let workbench: Workbench | undefined;
      try {
        workbench = await openDemo({ theme });
        await workbench.openContainer('Whetstone');
        await workbench.tree('Skills').row('incident-summary');
        await workbench.screenshot(`theme-${theme}-welcome`);
        await whetstone(workbench, 'optimize', incidents, '--model', 'simulated');
        await workbench.tree('Skills').expand('incident-summary');
        await workbench.tree('Skills').action('Gate: improved', 'Show Report');
        const frame = await reportFrame(workbench);
        assert.deepEqual(await seriousFindings(frame), []);
        await workbench.screenshot(`theme-${theme}`);
        await workbench.palette('Welcome: Open Walkthrough...');
        await workbench.quickInput.choose('Get Started with Whetstone');
        await workbench.page.locator('.getting-started-step').nth(6).waitFor();
        await workbench.screenshot(`theme-${theme}-walkthrough`);
      } finally {
        await workbench?.close();
      }
    });
  }
});
