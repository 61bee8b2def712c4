import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { fakeCrontab } from '../../flow/children/fakeCrontab.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { ours } from '../driver/ours.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { stepByStep } from '../driver/stepByStep.js';
import { takeScreenshot } from '../driver/takeScreenshot.js';
import type { Workbench } from '../driver/workbench.js';
import { inFull } from '../driver/inFull.js';

const skill = '.claude/skills/incident-summary/SKILL.md';
/** Another window and the operating system want the same night: part of the full numbers. */
const full = process.env['WHETSTONE_FULL'] === '1';

/** From the switch in the status bar to the proposals in the morning, in a real window. */
describe('nightly training in the status bar', function () {
  // Each step starts where the one before it ended.
  stepByStep();
  let workbench: Workbench;
  let original: string;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openWorkbench({
      ...ours,
      workspace: path.resolve('media/demo'),
    });
    await workbench.updateSettings({ 'whetstone.model.target': 'simulated?latency=150', 'whetstone.preset': 'quick' });
    original = readFileSync(path.join(workspaceFolder(), skill), 'utf8');
  });

  after(async () => workbench.close());

  it('is off at first, and says so', async () => {
    await workbench.statusBar.item('Nightly off');
    assert.match(await workbench.statusBar.tooltip('Nightly off'), /Nightly training is off/);
    await workbench.screenshot('nightly-off');
  });

  it('opens a menu: on or off, run now, next and last run, spend, settings', async () => {
    await workbench.statusBar.click('Nightly off');
    const items = (await workbench.quickInput.items()).join('\n');
    for (const wanted of [
      'Turn Nightly Training On',
      'Run Nightly Training Now',
      'Next run: none',
      'Last run: none yet',
      'Spent this month:',
      'Install OS Schedule',
      'Settings',
    ])
      assert.ok(items.includes(wanted), `${wanted} in\n${items}`);
    await workbench.screenshot('nightly-menu-off');
  });

  it('shows which skills will be trained, and leaves out the one that is unchecked', async () => {
    await workbench.quickInput.choose('Turn Nightly Training On');
    const items = await workbench.quickInput.items();
    assert.deepEqual(
      items.map((item) => item.replace(/\s*\d.*/, '')).toSorted((a, b) => a.localeCompare(b)),
      ['code-review', 'incident-summary', 'price-change', 'support-answer'],
    );
    await workbench.screenshot('nightly-choose-skills');
    await workbench.quickInput.choose('price-change');
    await workbench.quickInput.choose('support-answer');
    await workbench.press('Enter');
  });

  it('shows the estimate, the cap and where tasks go, and asks before it turns on', async () => {
    const text = await workbench.dialogs.text();
    assert.match(text, /Train 2 skills every night\?/);
    assert.match(text, /At 03:17: .*incident-summary/);
    assert.match(text, /[\d,]+ to [\d,]+ calls, [\d,]+ to [\d,]+ tokens/);
    assert.match(text, /No cap for a night is set/);
    assert.match(text, /nothing leaves this machine/);
    assert.match(text, /change no file/);
    await workbench.screenshot('nightly-turn-on');
    await workbench.dialogs.press('Turn On');
    await workbench.statusBar.item('Nightly 03:17');
    await workbench.screenshot('nightly-on');
    const settings = readFileSync(settingsFile(), 'utf8');
    assert.match(settings, /"whetstone.nightly.exclude": \[[^\]]*"support-answer"[^\]]*\]/);
    assert.doesNotMatch(settings, /nightly\.enabled/, 'whether nights are on is no matter of the team');
  });

  // A minute is long: in the short numbers a window is told to begin, and what looks at the clock has tests below the windows.
  const whatBegins = full ? 'at its time, once for all who look at the clock' : 'when it is told to in the menu';
  it(`trains ${whatBegins}, and proposals wait in the morning`, async function () {
    this.timeout(300_000);
    const second = full ? await anotherWindow() : undefined;
    const { time, at } = nextMinute(full ? 50_000 : 7_200_000);
    setInWorkspace('whetstone.nightly.time', time);
    assert.match(
      await workbench.toast(/settings of this workspace for nights/),
      new RegExp(`time: not set → "${time}"`),
    );
    await workbench.statusBar.item('Nightly 03:17');
    await workbench.screenshot('nightly-changed-settings');
    await workbench.toasts.press(/settings of this workspace for nights/, 'Use the New Settings');
    await workbench.statusBar.item(`Nightly ${time}`);
    if (!full) {
      await workbench.statusBar.click(`Nightly ${time}`);
      await workbench.quickInput.choose('Run Nightly Training Now');
    }
    const system = full ? firedBySystem(time, at) : undefined;
    const windows = [workbench.page, ...(second === undefined ? [] : [second])];
    if (system === undefined) await nightIn(windows);
    await shows(workbench.page, 'Whetstone: 2 to review');
    await workbench.screenshot('nightly-morning');
    const next = full ? 'tomorrow' : 'today|tomorrow';
    assert.match(
      await workbench.statusBar.tooltip(/Nightly \d/),
      new RegExp(`Nightly training is on\\. Next: (?:${next})`),
    );
    if (second !== undefined) await shows(second, 'Whetstone: 2 to review');
    await system;
    if (second !== undefined) await leave(second);
    const runs = readdirSync(path.join(workspaceFolder(), '.whetstone', 'runs'));
    assert.equal(runs.length, 2, 'one run a skill, whoever looked at the clock');
    assert.equal(readFileSync(path.join(workspaceFolder(), skill), 'utf8'), original, 'a night edits no file');
    assert.equal(await workbench.page.locator('.tabs-container .tab').count(), 0, 'a night opens no editor');
  });

  it('tells in the menu what the last night did', async () => {
    await workbench.page.bringToFront();
    await workbench.statusBar.click(/Nightly \d/);
    assert.match((await workbench.quickInput.items())[0] ?? '', /^Review Waiting Proposals/);
    const items = (await workbench.quickInput.items()).join('\n');
    assert.match(items, /Last run: today \d\d:\d\d.*: 2 proposals, .*2 of 2 skills have new proposals/);
    assert.match(items, /Review Waiting Proposals/);
    assert.match(items, /Spent this month: [\d,]+ tokens/);
    await workbench.screenshot('nightly-menu-morning');
    await workbench.quickInput.dismiss();
  });

  it('says what is broken, and what to do, before the night comes', async () => {
    await workbench.updateSettings({ 'whetstone.model.target': 'openai/gpt-5-mini' });
    await workbench.statusBar.item('Nightly paused');
    assert.match(await workbench.statusBar.tooltip('Nightly paused'), /There is no API key for OpenAI/);
    await workbench.screenshot('nightly-broken');
    await workbench.statusBar.click('Nightly paused');
    assert.match(await workbench.quickInput.message(), /no API key/);
    assert.ok((await workbench.quickInput.items())[0]?.startsWith('Fix: add an API key'));
    await workbench.screenshot('nightly-menu-broken');
    await workbench.quickInput.dismiss();
  });

  inFull('shows the exact text for the operating system, and refuses to install what would not run', async () => {
    await workbench.palette('Whetstone: Install OS Schedule');
    assert.match(await workbench.dialogs.text(), /Let the operating system start nights at/);
    await workbench.screenshot('nightly-os-schedule');
    const shown = await workbench.page.locator('.editor-instance .view-lines').first().innerText();
    assert.match(shown.replaceAll('\u00A0', ' '), /gets exactly this:[\s\S]*night --scheduled/);
    await workbench.dialogs.press('Install');
    assert.match(await workbench.toast(/would not run while VS Code is closed/), /no API key for OpenAI/);
    await workbench.screenshot('nightly-os-refused');
    await workbench.toasts.press(/would not run while VS Code is closed/, 'Set API Key');
    assert.match(await workbench.quickInput.message(), /key/i);
    await workbench.quickInput.dismiss();
  });

  it('is turned off again in the menu', async () => {
    await workbench.clearToasts();
    await workbench.statusBar.click('Nightly paused');
    await workbench.quickInput.choose('Turn Nightly Training Off');
    await workbench.statusBar.item('Nightly off');
  });

  async function anotherWindow(): Promise<Page> {
    const page = await workbench.page.context().newPage();
    await page.goto(workbench.page.url());
    await shows(page, 'Nightly 03:17');
    return page;
  }

  /** The other window took the settings of the tests over; what is left of them ends with it. */
  async function leave(page: Page): Promise<void> {
    await page.close();
    await workbench.reload();
    await shows(workbench.page, 'Whetstone: 2 to review');
  }

  /** Whichever window runs it shows its progress. */
  async function nightIn(windows: readonly Page[]): Promise<void> {
    const page = await Promise.any(
      windows.map(async (each) => (await shows(each, /Whetstone: training \d of 2/), each)),
    );
    await page.bringToFront();
    await takeScreenshot(page, 'nightly-running');
    await workbench.page.bringToFront();
  }

  /** The line that an operating system would start, in the second in which the windows look at the clock. */
  async function firedBySystem(time: string, at: number): Promise<void> {
    const { env, folder } = workbench.session;
    const environment = { ...env, PATH: `${fakeCrontab(folder)}:${env['PATH'] ?? ''}` };
    const words = [
      '--model',
      'simulated?latency=150',
      '--preset',
      'quick',
      '--exclude',
      'support-answer',
      '--exclude',
      'price-change',
    ];
    const options = { cwd: workspaceFolder(), env: environment, encoding: 'utf8' as const };
    const cli = path.resolve('dist/cli.js');
    const installed = spawnSync(
      process.execPath,
      [cli, 'schedule', '--install', '--at', time, ...words, '--json'],
      options,
    );
    assert.equal(installed.status, 0, installed.stderr);
    const { id } = z.object({ id: z.string() }).parse(JSON.parse(installed.stdout));
    await pause(Math.max(0, at - Date.now()));
    const child = spawn(process.execPath, [cli, 'night', '--scheduled', id], { ...options, stdio: 'pipe' });
    let said = '';
    child.stdout.on('data', (data: Buffer) => (said += data.toString()));
    await once(child, 'close');
    assert.match(said, /dealt with already|did not run|\bproposed\b/);
    const removed = spawnSync(process.execPath, [cli, 'schedule', '--remove'], options);
    assert.match(removed.stdout, /taken away/);
  }

  /** Both windows read the workspace's settings. */
  function setInWorkspace(name: string, value: string): void {
    writeFileSync(settingsFile(), readFileSync(settingsFile(), 'utf8').replace('{', `{\n  "${name}": "${value}",`));
  }

  function settingsFile(): string {
    return path.join(workspaceFolder(), '.vscode', 'settings.json');
  }

  function workspaceFolder(): string {
    const { workspace } = workbench.session;
    assert.ok(workspace !== undefined);
    return workspace;
  }
});

async function shows(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.part.statusbar .statusbar-item', { hasText: text }).first().waitFor({ timeout: 200_000 });
}

/** The first whole minute that is at least so far away. */
function nextMinute(awayMs: number): { readonly time: string; readonly at: number } {
  const at = Math.ceil((Date.now() + awayMs) / 60_000) * 60_000;
  const soon = new Date(at);
  return {
    time: `${String(soon.getHours()).padStart(2, '0')}:${String(soon.getMinutes()).padStart(2, '0')}`,
    at,
  };
}
