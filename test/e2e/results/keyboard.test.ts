import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { incidents, openDemo } from './resultsDriver.js';

/** The whole path without a mouse: every step is a key or typed words. */
describe('with the keyboard alone', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async function () {
    this.timeout(120_000);
    workbench = await openDemo();
  });
  after(async () => workbench.close());

  it('leads from opening a skill to accepted edits', async function () {
    this.timeout(180_000);
    const original = skillText(workbench);
    await typed(workbench, 'Control+p', 'incident-summary/SKILL.md');
    await workbench.page.locator('.tab.active', { hasText: 'SKILL.md' }).waitFor();
    await typed(workbench, 'F1', '>Whetstone: Optimize This Skill');
    await workbench.toast(/incident-summary: Better/);
    assert.equal(skillText(workbench), original, 'a run edits nothing');
    await typed(workbench, 'F1', '>Whetstone: Review Proposed Edits');
    await workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible').first().waitFor();
    await typed(workbench, 'F1', '>Whetstone: Accept All Proposed Edits');
    await eventually(() => skillText(workbench) !== original, 'the accepted edits are on disk');
    await workbench.screenshot('keyboard-accepted');
  });
});

function skillText({ session }: Workbench): string {
  assert.ok(session.workspace);
  return readFileSync(path.join(session.workspace, incidents, 'SKILL.md'), 'utf8');
}

/** Opens the quick input with a key, types, and takes the first row. */
async function typed({ page }: Workbench, key: string, words: string): Promise<void> {
  await page.keyboard.press(key);
  const box = page.locator('.quick-input-widget:visible .quick-input-box input').first();
  await box.waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(words);
  const wanted = words.replace(/^>/, '').split('/')[0] ?? words;
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: wanted }).first().waitFor();
  await page.keyboard.press('Enter');
}
