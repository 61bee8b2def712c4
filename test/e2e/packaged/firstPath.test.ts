import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../driver/eventually.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { pressIn, rowTexts } from '../review/reviewDriver.js';

const mostActions = 6;
const skill = '.claude/skills/incident-summary/SKILL.md';
const otherSkill = '.github/skills/code-review/SKILL.md';

/**
 * The one path from nothing to an accepted edit, through the packaged extension: first as the README leads it, in a VS
 * Code that knows nothing yet, with a look at everything on the way; then back again; then with the keyboard alone.
 */
describe('the first path through the packaged extension', function () {
  this.bail(true); // each step starts where the one before it ended
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  const original = readFileSync(path.join('media/demo', skill), 'utf8');
  const [first, ...others] = readmeActions();
  let pressed = 0;

  before(async function () {
    this.timeout(120_000);
    assert.ok(existsSync('whetstone.vsix'), 'npm run package makes whetstone.vsix first');
    workbench = await openWorkbench({ vsix: path.resolve('whetstone.vsix') });
  });

  after(async () => workbench.close());

  it(`is at most ${mostActions} actions long in the README, of which the first is the installation`, () => {
    assert.ok(others.length > 0 && others.length + 1 <= mostActions);
    assert.match(first ?? '', /--install-extension whetstone\.vsix/, 'the window of this test has it installed');
  });

  it('leads to a demo whose three skills are in the tree, one of them being trained', async function () {
    this.timeout(120_000);
    await pressAsTold('Whetstone', () => workbench.openContainer('Whetstone'));
    await pressAsTold('Try the Demo', () =>
      workbench.page.locator('.welcome-view-content .monaco-button', { hasText: 'Try the Demo' }).first().click(),
    );
    await pressAsTold('Temporary Folder', () => workbench.dialogs.press('Temporary Folder'));
    await workbench.toast(/incident-summary: Better/);
    await workbench.openContainer('Whetstone'); // only to look: the window of the demo began with its files
    const tree = workbench.tree('Skills');
    for (const name of ['incident-summary', 'code-review', 'support-answer']) await tree.row(name);
    await workbench.screenshot('first-proposed');
    assert.equal(readSkill(), original, 'a run edits nothing');
  });

  it('shows the gate result, the tasks before and after, and the edits in the tree', async function () {
    this.timeout(60_000);
    const tree = workbench.tree('Skills');
    await tree.expand('incident-summary');
    await tree.row('Gate: improved');
    await tree.row('Proposed edits');
    await eventually(
      async () => (await tree.rows()).some(({ description }) => /^0\/\d+ → [1-9]/.test(description)),
      'a task that went up is in the tree',
    );
    await workbench.screenshot('first-gate');
  });

  it('opens the proposal as an inline diff with a row of actions for each edit', async function () {
    this.timeout(60_000);
    await pressAsTold('Review Edits', () => workbench.toasts.press(/incident-summary: Better/, 'Review Edits'));
    await workbench.editors.waitFor(/incident-summary/);
    await eventually(async () => (await workbench.diff.state()).mode === 'inline', 'the diff is inline');
    await eventually(async () => {
      const rows = (await rowTexts(workbench)).join(' | ');
      return rows.includes('Accept') && rows.includes('Reject');
    }, 'each edit has its row of actions');
    await workbench.screenshot('first-review');
    assert.equal(readSkill(), original, 'looking changes nothing');
  });

  it('ends with accepted edits on disk, after exactly what the README says', async function () {
    this.timeout(60_000);
    await pressAsTold('Accept All', () => workbench.lenses.click('Accept All'));
    assert.equal(pressed, others.length, 'every action of the README was taken');
    // Longer, not only another: while it is being written the file is empty for a moment.
    await eventually(() => readSkill().length > original.length, 'the accepted edits are on disk');
    await workbench.screenshot('first-all-accepted');
  });

  it('undoes the whole adoption, byte for byte', async function () {
    this.timeout(60_000);
    await workbench.palette('Whetstone: Undo Last Adoption');
    await eventually(() => readSkill() === original, 'the skill is as it was');
    await areOpen(0);
    await workbench.screenshot('first-undone');
  });

  it('rejects one edit, which changes nothing on disk', async function () {
    this.timeout(90_000);
    await workbench.clearToasts();
    await eventually(async () => (await editsLeft()) > 1, 'the edits have their rows again');
    const count = await editsLeft();
    await pressIn(workbench, /1 of \d/, 'Reject');
    await workbench.quickInput.choose('No reason');
    await eventually(async () => (await editsLeft()) === count - 1, 'one edit fewer is open');
    assert.equal(readSkill(), original);
    await workbench.screenshot('first-rejected');
  });

  it('accepts one edit, takes it back with Ctrl+Z, and again with Ctrl+Y', async function () {
    this.timeout(120_000);
    const count = await editsLeft();
    await pressIn(workbench, /1 of \d/, 'Accept');
    await eventually(() => readSkill().length > original.length, 'the accepted edit is on disk');
    await eventually(async () => (await editsLeft()) === count - 1, 'one edit fewer is open');
    const accepted = readSkill();
    await workbench.screenshot('first-accepted');
    await workbench.press('Control+Z');
    await eventually(() => readSkill() === original, 'the skill is as it was');
    await eventually(async () => (await editsLeft()) === count, 'the edit is open again');
    await workbench.press('Control+Y');
    await eventually(() => readSkill() === accepted, 'the edit is in the file again');
    await workbench.palette('Whetstone: Undo Last Adoption');
    await eventually(() => readSkill() === original, 'the skill is as it was');
    await areOpen(1);
  });

  const byKeyboard = process.env['WHETSTONE_FULL'] === '1' ? it : () => {};
  byKeyboard('can be walked with the keyboard alone, from opening a skill to accepted edits', async function () {
    this.timeout(180_000);
    await workbench.run('workbench.action.closeAllEditors');
    const before = readSkill(otherSkill);
    await typed('Control+p', 'code-review/SKILL.md');
    await workbench.page.locator('.tab.active', { hasText: 'SKILL.md' }).waitFor();
    const lenses = await workbench.lenses.texts();
    assert.ok(
      lenses.some((text) => text.includes('Optimize This Skill')),
      `it is offered above the first line: ${lenses.join(' | ')}`,
    );
    await workbench.screenshot('first-lens');
    await typed('F1', '>Whetstone: Optimize This Skill');
    await workbench.toast(/code-review: Better/);
    assert.equal(readSkill(otherSkill), before, 'a run edits nothing');
    await typed('F1', '>Whetstone: Review Proposed Edits');
    await workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible').first().waitFor();
    await typed('F1', '>Whetstone: Accept All Proposed Edits');
    await eventually(() => readSkill(otherSkill).length > before.length, 'the accepted edits are on disk');
    await workbench.screenshot('keyboard-accepted');
  });

  it('turns nightly training on and off in the status bar', async function () {
    this.timeout(60_000);
    await workbench.clearToasts();
    await workbench.statusBar.click('Nightly off');
    await workbench.quickInput.choose('Turn Nightly Training On');
    await workbench.quickInput.message();
    await workbench.press('Enter');
    await workbench.dialogs.press('Turn On');
    await workbench.statusBar.item('Whetstone: 1 to review');
    assert.match(await workbench.statusBar.tooltip('Nightly 03:17'), /Next: .*03:17/);
    await workbench.screenshot('first-nightly-on');
    await workbench.statusBar.click('Nightly 03:17');
    await workbench.quickInput.choose('Turn Nightly Training Off');
    await workbench.statusBar.item('Nightly off');
  });

  /** Takes the next action of the README, which must be this button. */
  async function pressAsTold(button: string, press: () => Promise<void>): Promise<void> {
    const told = others[pressed] ?? 'nothing';
    assert.equal(/^Click \*\*([^*]+)\*\*/.exec(told)?.[1] ?? told, button, 'what the README says next');
    pressed += 1;
    await press();
  }

  /** All edits of the proposal wait for a decision again, but for so many. */
  async function areOpen(decided: number): Promise<void> {
    await eventually(async () => {
      const rows = await workbench.tree('Skills').rows();
      const edits = rows.filter(({ label }) => /^E\d /.test(label)).length;
      return rows.some((row) => row.label === 'Proposed edits' && row.description === `${edits - decided} open`);
    }, 'what was accepted is open again, what was rejected is not');
  }

  async function editsLeft(): Promise<number> {
    const rows = (await rowTexts(workbench)).join(' | ');
    return Number(/1 of (\d+) · /.exec(rows)?.[1] ?? 0);
  }

  /** Opens the quick input with a key, types, and takes the first row. */
  async function typed(key: string, words: string): Promise<void> {
    const { page } = workbench;
    await page.keyboard.press(key);
    const box = page.locator('.quick-input-widget:visible .quick-input-box input').first();
    await box.waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(words);
    const wanted = words.replace(/^>/, '').split('/')[0] ?? words;
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: wanted }).first().waitFor();
    await page.keyboard.press('Enter');
  }

  /** The demo lies in a temporary folder whose name only the window knows. */
  function readSkill(file = skill): string {
    const temporary = path.join(workbench.session.folder, 'tmp');
    const [folder] = readdirSync(temporary).filter((name) => /^whetstone-(?!host)/.test(name));
    assert.ok(folder, 'there is a demo');
    return readFileSync(path.join(temporary, folder, 'whetstone-demo', file), 'utf8');
  }
});

/** The texts of the numbered list, in order. */
function readmeActions(): readonly string[] {
  const [, after = ''] = readFileSync('README.md', 'utf8').split(/^## From nothing to an accepted edit.*$/m);
  const [section = ''] = after.split(/^## /m);
  return [...section.matchAll(/^\d\. (.+)$/gm)].map(([, text]) => text ?? '');
}
