import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { faultyChecks, faultyEvals } from '../../builders/faultyTasks.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo } from './resultsDriver.js';
import { inFull } from '../driver/inFull.js';

const skill = 'support-answer';

// The tests inside VS Code try a task too.

/** From drafts to tasks that count, one of them tried, and what is wrong with others, as a person sees it. */
describe('tasks in the window', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo({ takesOver: true });
    await workbench.openContainer('Whetstone');
    await workbench.tree('Skills').row(skill);
  });

  after(async () => workbench.close());

  it('drafts tasks, says that they do not count yet, and shows them one by one', async function () {
    await workbench.palette('Whetstone: Draft Tasks for This Skill');
    await workbench.quickInput.choose(skill);
    await workbench.page.locator('.quick-input-widget:visible', { hasText: 'How many tasks' }).waitFor();
    await workbench.quickInput.enter('3');
    const said = await workbench.toast(/drafts are ready/);
    assert.match(said, /3 drafts are ready\. Review and confirm them to use them\./);
    await workbench.screenshot('tasks-drafted');
    await workbench.toasts.press(/drafts are ready/, 'Review Drafts');
    const first = await workbench.dialogs.text();
    assert.match(first, /Draft 1 of 3[^]*A good answer:/);
    await workbench.screenshot('tasks-review');
    const box = workbench.page.locator('.monaco-dialog-box');
    await box.locator('.monaco-button', { hasText: 'Skip' }).click();
    await box.filter({ hasText: 'Draft 2 of 3' }).waitFor();
    await workbench.dialogs.press('Cancel');
  });

  it('confirms a draft in the tree, which then counts', async function () {
    const tree = workbench.tree('Skills');
    await tree.expand(skill);
    await tree.expand('Tasks');
    const before = await countsShown();
    await tree.expand('Drafts (3)');
    const [first = ''] = await drafts(3);
    await workbench.screenshot('tasks-tree-drafts');
    await tree.action(first, 'Confirm Task');
    assert.equal((await drafts(2)).includes(first), false);
    assert.equal(await countsShown(), before + 1);
  });

  inFull('tries a draft with and without the skill, and shows both answers side by side', async function () {
    const [draft = ''] = await drafts(2);
    await workbench.tree('Skills').action(draft, 'Compare With and Without Skill');
    await workbench.editors.waitFor(`${draft}: without ↔ with the skill`);
    const page = await workbench.webview('.columns article:nth-child(2) h3');
    assert.match(await page.locator('.columns').innerText(), /Without the skill: .*[^]*With the skill: /);
    await workbench.screenshot('tasks-tried');
  });

  it('opens a task as a page at a click, and has its buttons in evals.json', async function () {
    await workbench.run('workbench.action.closeAllEditors');
    const [draft = ''] = await drafts(2);
    await workbench.tree('Skills').click(draft);
    const page = await workbench.webview('nav .button');
    assert.match(
      await page.locator('main').innerText(),
      /Draft, counts once you confirm it[^]*Request[^]*A good answer/,
    );
    await workbench.screenshot('tasks-page');
    await workbench.openFile(`.agents/skills/${skill}/evals/evals.json`);
    await workbench.page.locator('.codelens-decoration', { hasText: 'Move to…' }).first().waitFor();
    await workbench.screenshot('tasks-lens');
  });

  inFull('shows what is wrong with tasks in the Problems panel, and leads to its line', async function () {
    await workbench.run('workbench.action.closeAllEditors');
    const folder = path.join(workbench.session.workspace ?? '', 'skills/broken');
    put(
      folder,
      'SKILL.md',
      '---\nname: broken\ndescription: Has tasks with faults.\n---\n\n# Broken\n\nGreet people.\n',
    );
    put(folder, 'evals/evals.json', JSON.stringify({ evals: faultyEvals }, undefined, 2));
    put(
      folder,
      'evals/whetstone.json',
      JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: faultyChecks }, undefined, 2),
    );
    await workbench.editors.open('skills/broken/evals/whetstone.json');
    await workbench.palette('Problems: Focus on Problems View');
    const panel = workbench.page.locator('.markers-panel');
    for (const words of ['never closed', 'Did you mean “contains”?', 'No answer can fail', 'only constrain the form'])
      await panel.getByText(words).first().waitFor();
    for (const words of ['Another task has the id', 'is missing', 'An improvement can be shown with 5 held-out tasks'])
      await panel.getByText(words).first().waitFor();
    await workbench.screenshot('tasks-problems');
    await panel.getByText('Did you mean “contains”?').first().dblclick();
    const line =
      readFileSync(path.join(folder, 'evals/whetstone.json'), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('contanis')) + 1;
    await workbench.page.locator('.statusbar-item', { hasText: `Ln ${line},` }).waitFor();
    await workbench.screenshot('tasks-problem-line');
  });

  /** The ids below “Drafts” in the tree, once there are that many. */
  async function drafts(count: number): Promise<readonly string[]> {
    let ids = await draftIds();
    for (let tries = 0; ids.length !== count && tries < 100; tries += 1) {
      await workbench.page.waitForTimeout(100);
      ids = await draftIds();
    }
    assert.equal(ids.length, count);
    return ids;
  }

  async function draftIds(): Promise<readonly string[]> {
    const rows = await workbench.tree('Skills').rows();
    const at = rows.findIndex(({ label }) => label.startsWith('Drafts ('));
    const after = rows.slice(at + 1);
    const end = after.findIndex(({ level }) => level <= (rows[at]?.level ?? 0));
    return after.slice(0, end < 0 ? undefined : end).map(({ label }) => label);
  }

  /** How many tasks the tree counts on any side. */
  async function countsShown(): Promise<number> {
    const rows = await workbench.tree('Skills').rows();
    const counts = rows.find(({ label }) => label === 'Tasks')?.description.match(/\d+/g) ?? [];
    return counts.reduce((sum, count) => sum + Number(count), 0);
  }
});

function put(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}
