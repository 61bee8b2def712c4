import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo, whetstone } from './resultsDriver.js';

const skill = 'price-change';
const task = 'new-address';

/** What a person sees of an agent's attempts: WHETSTONE_PICTURES=1 puts the page of both into media/walkthrough. */
describe('an agent at work, in the window', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo();
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    await workbench.openContainer('Whetstone');
  });

  after(async () => workbench.close());

  it('has its attempts with and without the skill on a page that is never wider than its place', async function () {
    const skillPath = path.join(workbench.session.workspace ?? '', '.agents/skills', skill, 'SKILL.md');
    await workbench.run('whetstone.tryTask', { skillPath, taskId: task });
    await workbench.editors.waitFor(`${task}: without ↔ with the skill`);
    const page = await workbench.webview('.columns article:nth-child(2) .steps');
    assert.match(
      await page.locator('article:nth-child(2)').innerText(),
      /With the skill: passed[^]*Skill price-change, loaded[^]*Folder listed \.[^]*File changed terms\.md[^]*terms\.md \(changed\)/,
    );
    assert.equal(await isWide(), false, 'beside the tree');
    await workbench.screenshot('agent-compare-narrow');
    await workbench.run('workbench.action.closeSidebar');
    await workbench.page.setViewportSize({ width: 1000, height: 860 });
    assert.equal(await isWide(), false, 'without the tree');
    await page.locator('section:has(.columns)').evaluate((section) => section.scrollIntoView());
    await workbench.page.mouse.move(500, 850); // no tooltip in the picture
    const picture = await workbench.screenshot('walkthrough-agent');
    if (process.env['WHETSTONE_PICTURES'] === '1') copyFileSync(picture, 'media/walkthrough/agent.png');
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    assert.equal(await isWide(), false);
  });

  it('has its attempts behind the verdict under the gate, with steps and what changed', async function () {
    await workbench.run('workbench.action.closeAllEditors');
    await whetstone(workbench, 'optimize', `.agents/skills/${skill}`, '--model', 'simulated');
    await workbench.page.setViewportSize({ width: 1000, height: 1400 }); // only rows on the screen exist
    await workbench.run('workbench.view.extension.whetstone');
    const tree = workbench.tree('Skills');
    await (await tree.row(skill)).filter({ hasText: '→' }).waitFor(); // the window has seen what the command line did
    await tree.expand(skill);
    await tree.row('Gate: improved');
    const fixed = (await tree.rows()).find(({ description }) => description.endsWith('fixed'));
    assert.equal(fixed?.state, 'collapsed');
    await tree.expand(fixed.label);
    await tree.expand('1. With the edits: passed');
    await tree.row('2. Skill: price-change, loaded');
    await tree.expand('What it changed');
    await tree.row('CHANGELOG.md (changed)');
    await workbench.screenshot('agent-gate');
    await tree.click('CHANGELOG.md (changed)');
    const page = await workbench.webview('article:nth-child(2) .diff');
    assert.match(await page.locator('main').innerText(), /Without the edits: failed[^]*With the edits: passed/);
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    assert.equal(await isWide(), false);
    assert.equal(await page.locator('h4.wanted').innerText(), 'What it changed');
    await tree.click('2. Skill: price-change, loaded');
    const step = (await workbench.webview('li.wanted')).locator('li.wanted');
    assert.match(await step.innerText(), /price-change, loaded/);
    const { top, bottom } = await step.evaluate((li) => li.getBoundingClientRect());
    assert.ok(top >= 0 && bottom <= 600, `the step is in sight: ${top} to ${bottom}`);
    assert.equal((await workbench.editors.tabs()).length, 1, 'one page, however often its rows are pressed');
    await workbench.screenshot('agent-gate-step');
  });

  async function isWide(): Promise<boolean> {
    const page = await workbench.webview('.columns');
    return page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth);
  }
});
