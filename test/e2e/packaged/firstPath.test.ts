import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Actions } from '../driver/actions.js';
import { eventually } from '../driver/eventually.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { packaged } from '../driver/ours.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import { stepByStep } from '../driver/stepByStep.js';
import type { Workbench } from '../driver/workbench.js';
import { pressIn, rowTexts } from '../review/reviewDriver.js';
import { demoFile, demoSkill, walkDemo } from './walks.js';
import { inFull } from '../driver/inFull.js';

const otherSkill = '.github/skills/code-review/SKILL.md';

// Deciding, undoing and nights have scripts of their own; of the packaged extension they are driven in the full tier.

/**
 * The one path from nothing to an accepted edit, through the packaged extension: first as the README leads it, in a VS
 * Code that knows nothing yet, with a look at everything on the way; then back again; then with the keyboard alone.
 */
describe('the first path through the packaged extension', function () {
  stepByStep();
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  const original = readFileSync(path.join('media/demo', demoSkill), 'utf8');
  const told = readmeActions();

  before(async function () {
    assert.ok(existsSync('whetstone.vsix'), 'npm run package makes whetstone.vsix first');
    workbench = await openWorkbench(packaged);
  });

  after(async () => workbench.close());

  it('goes from nothing to accepted edits on disk, with the six actions of the README and no other', async function () {
    this.timeout(300_000);
    assert.match(told[0] ?? '', /--install-extension whetstone\.vsix/, 'the window of this test has it installed');
    const actions = new Actions(6);
    const picture = (stop: string) => workbench.screenshot(`first-${stop}`);
    await walkDemo(
      { workbench, actions, picture },
      {
        atVerdict: async () => assert.equal(readSkill(), original, 'a run edits nothing'),
        atReview: async () => assert.equal(readSkill(), original, 'looking changes nothing'),
      },
    );
    const buttons = told.slice(1).map((text) => /^Click \*\*([^*]+)\*\*/.exec(text)?.[1] ?? text);
    assert.deepEqual(actions.taken, ['install', ...buttons]);
  });

  it('undoes the whole adoption, byte for byte; the gate’s answer, the tasks and the edits are in the tree', async function () {
    await workbench.palette('Whetstone: Undo Last Adoption');
    await eventually(() => readSkill() === original, 'the skill is as it was');
    await lookAtTree();
    await areOpen(0);
    await workbench.screenshot('first-undone');
  });

  inFull('rejects one edit, which changes nothing on disk', async function () {
    await workbench.clearToasts();
    await eventually(async () => (await editsLeft()) > 1, 'the edits have their rows again');
    const count = await editsLeft();
    await pressIn(workbench, /1 of \d/, 'Reject');
    await workbench.quickInput.choose('No reason');
    await eventually(async () => (await editsLeft()) === count - 1, 'one edit fewer is open');
    assert.equal(readSkill(), original);
    await workbench.screenshot('first-rejected');
  });

  inFull('accepts one edit, takes it back with Ctrl+Z, and again with Ctrl+Y', async function () {
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

  inFull('can be walked with the keyboard alone, from opening a skill to accepted edits', async function () {
    this.timeout(300_000);
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
    await workbench.toast(/code-review improved from/);
    assert.equal(readSkill(otherSkill), before, 'a run edits nothing');
    await typed('F1', '>Whetstone: Review Proposed Edits');
    await workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible').first().waitFor();
    await typed('F1', '>Whetstone: Accept All Proposed Edits');
    await eventually(() => readSkill(otherSkill).length > before.length, 'the accepted edits are on disk');
    await workbench.screenshot('keyboard-accepted');
  });

  inFull('turns nightly training on and off in the status bar', async function () {
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

  /** The three skills, the gate's answer, a task that went up and the edits: only to look. */
  async function lookAtTree(): Promise<void> {
    await workbench.openContainer('Whetstone'); // the window of the demo began with its files
    const tree = workbench.tree('Skills');
    for (const name of ['incident-summary', 'code-review', 'support-answer']) await tree.row(name);
    await tree.expand('incident-summary');
    await tree.row('Gate: improved');
    await tree.row('Proposed edits');
    await eventually(
      async () => (await tree.rows()).some(({ description }) => /^0\/\d+ → [1-9]/.test(description)),
      'a task that went up is in the tree',
    );
    await workbench.screenshot('first-gate');
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

  function readSkill(file = demoSkill): string {
    return readFileSync(demoFile(workbench, file), 'utf8');
  }
});

/** The texts of the numbered list, in order. */
function readmeActions(): readonly string[] {
  const [, after = ''] = readFileSync('README.md', 'utf8').split(/^## From nothing to an accepted edit.*$/m);
  const [section = ''] = after.split(/^## /m);
  return [...section.matchAll(/^\d\. (.+)$/gm)].map(([, text]) => text ?? '');
}
