import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo } from './resultsDriver.js';

/** Tasks in VS Code's own Testing view, for those who turned it on. */
describe('tasks in the Testing view', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo();
    await workbench.updateSettings({ 'whetstone.testExplorer.enabled': true });
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').row('incident-summary');
    await workbench.palette('Testing: Focus on Test Explorer View');
  });

  after(async () => workbench.close());

  it('lists the skills, runs the tasks of one without a question, for the simulated model is free, and shows those that fail', async function () {
    const row = testRow(workbench, 'incident-summary');
    await row.waitFor();
    assert.deepEqual(runsIn(workbench), [], 'nothing was run yet');
    await workbench.palette('Test: Run All Tests');
    await row.and(workbench.page.locator('[aria-label*="ailed"]')).waitFor();
    assert.ok(runsIn(workbench).length > 0, 'nobody was asked, and they were run');
    await workbench.screenshot('tests-failed');
  });
});

function testRow({ page }: Workbench, label: string) {
  return page.locator('.test-explorer .monaco-list-row', { hasText: label }).first();
}

function runsIn({ session }: Workbench): readonly string[] {
  assert.ok(session.workspace);
  const runs = path.join(session.workspace, '.whetstone', 'runs');
  return existsSync(runs) ? readdirSync(runs) : [];
}
