import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { StatusBar } from '../driver/statusBar.js';
import type { Workbench } from '../driver/workbench.js';

const skill = '.claude/skills/incident-summary/SKILL.md';

/** From the switch in the status bar to the proposals in the morning, in a real window. */
describe('nightly training in the status bar', function () {
  // Each step starts where the one before it ended.
  this.bail(true);
  let workbench: Workbench;
  let original: string;
  pictureOnFailure(() => workbench);

  before(async function () {
    this.timeout(180_000);
    workbench = await openWorkbench({
      link: [path.resolve('.')],
      workspace: path.resolve('media/demo'),
    });
    await workbench.updateSettings({ 'whetstone.model.target': 'simulated?latency=60', 'whetstone.preset': 'quick' });
    original = readFileSync(path.join(workspaceFolder(), skill), 'utf8');
  });

  after(async () => workbench.close());

  it('is off at first, and says so', async function () {
    this.timeout(60_000);
    await workbench.statusBar.item('Nightly off');
    assert.match(await workbench.statusBar.tooltip('Nightly off'), /The nightly run is off/);
    await workbench.screenshot('nightly-off');
  });

  it('opens a menu: on or off, run now, next and last run, spend, settings', async function () {
    this.timeout(60_000);
    await workbench.statusBar.click('Nightly off');
    const items = (await workbench.quickInput.items()).join('\n');
    for (const wanted of [
      'Turn Nightly Training On',
      'Run a Night Now',
      'Next run: none',
      'Last run: none yet',
      'Spent this month:',
      'Install OS Schedule',
      'Settings',
    ])
      assert.ok(items.includes(wanted), `${wanted} in\n${items}`);
    await workbench.screenshot('nightly-menu-off');
  });

  it('shows which skills will be trained, and leaves out the one that is unchecked', async function () {
    this.timeout(60_000);
    await workbench.quickInput.choose('Turn Nightly Training On');
    const items = await workbench.quickInput.items();
    assert.deepEqual(
      items.map((item) => item.replace(/\d.*/, '')).toSorted((a, b) => a.localeCompare(b)),
      ['code-review', 'incident-summary', 'support-answer'],
    );
    await workbench.screenshot('nightly-choose-skills');
    await workbench.quickInput.choose('support-answer');
    await workbench.press('Enter');
  });

  it('shows the estimate, the cap and where tasks go, and asks before it turns on', async function () {
    this.timeout(60_000);
    const text = await workbench.dialogs.text();
    assert.match(text, /Train 2 skills every night\?/);
    assert.match(text, /At 03:17: .*incident-summary/);
    assert.match(text, /\d+ to [\d,]+ calls, [\d,]+ to [\d,]+ tokens/);
    assert.match(text, /No cap for a night is set/);
    assert.match(text, /nothing leaves this machine/);
    assert.match(text, /edit no file/);
    await workbench.screenshot('nightly-turn-on');
    await workbench.dialogs.press('Turn On');
    await workbench.statusBar.item('Nightly 03:17');
    await workbench.screenshot('nightly-on');
    const settings = readFileSync(path.join(workspaceFolder(), '.vscode', 'settings.json'), 'utf8');
    assert.match(settings, /"whetstone.nightly.exclude": \[\s*"support-answer"\s*\]/);
  });

  it('trains at its time in one of two windows, and both show the proposals that wait in the morning', async function () {
    this.timeout(300_000);
    const second = await workbench.page.context().newPage();
    await second.goto(workbench.page.url());
    const secondBar = new StatusBar(second);
    await second.locator('.part.statusbar .statusbar-item', { hasText: 'Nightly 03:17' }).waitFor({ timeout: 90_000 });
    setInWorkspace('whetstone.nightly.time', nextMinute());
    await workbench.page.bringToFront();
    const running = workbench.page.locator('.part.statusbar .statusbar-item', { hasText: /Night \d\/\d/ });
    const runningThere = second.locator('.part.statusbar .statusbar-item', { hasText: /Night \d\/\d/ });
    await Promise.race([running.waitFor({ timeout: 200_000 }), runningThere.waitFor({ timeout: 200_000 })]);
    await workbench.screenshot('nightly-running');
    await workbench.page
      .locator('.part.statusbar .statusbar-item', { hasText: '2 proposals' })
      .waitFor({ timeout: 120_000 });
    await workbench.screenshot('nightly-morning');
    assert.match(await workbench.statusBar.tooltip('2 proposals'), /2 proposals wait for your review\. Next: /);
    await second.locator('.part.statusbar .statusbar-item', { hasText: '2 proposals' }).waitFor({ timeout: 120_000 });
    assert.ok((await secondBar.items()).some((item) => item.includes('2 proposals')));
    await second.close();
    const runs = readdirSync(path.join(workspaceFolder(), '.whetstone', 'runs'));
    assert.equal(runs.length, 2, 'one run a skill, whatever the number of windows');
    assert.equal(readFileSync(path.join(workspaceFolder(), skill), 'utf8'), original, 'a night edits no file');
    assert.deepEqual(await workbench.page.locator('.tabs-container .tab').count(), 0, 'a night opens no editor');
  });

  it('tells in the menu what the last night did', async function () {
    this.timeout(60_000);
    await workbench.page.bringToFront();
    await workbench.statusBar.click('2 proposals');
    const items = (await workbench.quickInput.items()).join('\n');
    assert.match(items, /Last run: today \d\d:\d\d: 2 of 2 skills have new proposals/);
    assert.match(items, /Show Waiting Proposals/);
    assert.match(items, /Spent this month: [\d,]+ tokens/);
    await workbench.screenshot('nightly-menu-morning');
    await workbench.quickInput.dismiss();
  });

  it('says what is broken, and what to do, before the night comes', async function () {
    this.timeout(90_000);
    await workbench.updateSettings({ 'whetstone.model.target': 'openai/gpt-5-mini' });
    await workbench.statusBar.item('Nightly stopped');
    const tooltip = await workbench.statusBar.tooltip('Nightly stopped');
    assert.match(tooltip, /There is no API key/);
    await workbench.screenshot('nightly-broken');
    await workbench.statusBar.click('Nightly stopped');
    assert.match(await workbench.quickInput.message(), /no API key/);
    await workbench.screenshot('nightly-menu-broken');
    await workbench.quickInput.choose('Turn Nightly Training Off');
    await workbench.statusBar.item('Nightly off');
  });

  /** Both windows read the workspace's settings; the person's own are those of one window here. */
  function setInWorkspace(name: string, value: string): void {
    const file = path.join(workspaceFolder(), '.vscode', 'settings.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', `{\n  "${name}": "${value}",`));
  }

  function workspaceFolder(): string {
    const { workspace } = workbench.session;
    assert.ok(workspace !== undefined);
    return workspace;
  }
});

/** The first whole minute that is far enough away to open a window before it. */
function nextMinute(): string {
  const soon = new Date(Date.now() + 75_000);
  return `${String(soon.getHours()).padStart(2, '0')}:${String(soon.getMinutes()).padStart(2, '0')}`;
}
