import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo } from './resultsDriver.js';

/** The walkthrough, and the pictures in it: WHETSTONE_PICTURES=1 puts those of this run into media/walkthrough. */
describe('the walkthrough', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo({ settings: { 'window.zoomLevel': 1 } });
    await workbench.page.setViewportSize({ width: 1000, height: 640 });
  });

  after(async () => workbench.close());

  it('has a picture of every step, taken from the real thing', async function () {
    await workbench.openContainer('Whetstone');
    const tree = workbench.tree('Skills');
    await tree.expand('incident-summary');
    await tree.expand('Tasks');
    await tree.row('Held-out');
    await picture(workbench, 'tasks');
    await workbench.palette('Whetstone: Choose Model');
    await workbench.quickInput.choose('Target');
    await workbench.quickInput.items();
    await picture(workbench, 'model');
    await workbench.quickInput.dismiss();
    await workbench.palette('Whetstone: Nightly Training');
    await workbench.quickInput.items();
    await workbench.page.mouse.move(700, 600); // no tooltip in the picture
    await picture(workbench, 'nightly');
    await workbench.quickInput.dismiss();
    await workbench.updateSettings({ 'whetstone.model.target': 'simulated?latency=40' });
    await tree.action('incident-summary', 'Optimize This Skill');
    await workbench.page.mouse.move(700, 300); // no tooltip in the picture
    await workbench.toasts.text(/\d+ % ·/);
    await picture(workbench, 'optimize', 'at once');
    await workbench.toast(/incident-summary improved from/);
    await workbench.clearToasts();
    await picture(workbench, 'demo');
    await workbench.palette('Whetstone: Review Proposed Edits');
    await workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible').first().waitFor();
    await picture(workbench, 'review');
  });

  it('opens with its seven steps', async function () {
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
    await workbench.palette('Welcome: Open Walkthrough...');
    await workbench.quickInput.choose('Get Started with Whetstone');
    await workbench.page.locator('.getting-started-step').nth(6).waitFor();
    await workbench.screenshot('walkthrough');
  });
});

/** `at once`: a window in which a run works does not come to rest. */
async function picture(workbench: Workbench, name: string, when: 'at rest' | 'at once' = 'at rest'): Promise<void> {
  const file = path.resolve('out/screenshots', `walkthrough-${name}.png`);
  if (when === 'at once') await workbench.page.screenshot({ path: file, animations: 'disabled' });
  else await workbench.screenshot(`walkthrough-${name}`);
  if (process.env['WHETSTONE_PICTURES'] !== '1') return;
  mkdirSync('media/walkthrough', { recursive: true });
  copyFileSync(file, path.join('media/walkthrough', `${name}.png`));
}
