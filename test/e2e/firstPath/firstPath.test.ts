import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../driver/eventually.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { pressIn, rowTexts } from '../review/reviewDriver.js';

const skill = '.claude/skills/incident-summary/SKILL.md';

/** The packaged extension, driven as a person would drive it, from a SKILL.md to a proposal. */
describe('the first path through the packaged extension', () => {
  let workbench: Workbench;
  let original: string;
  pictureOnFailure(() => workbench);

  before(async function () {
    this.timeout(120_000);
    assert.ok(existsSync('whetstone.vsix'), 'npm run package makes whetstone.vsix first');
    workbench = await openWorkbench({ vsix: path.resolve('whetstone.vsix'), workspace: path.resolve('media/demo') });
    original = readSkill(workbench);
  });

  after(async () => workbench.close());

  it('shows the three demo skills in the tree', async function () {
    this.timeout(60_000);
    await workbench.openContainer('Whetstone');
    const tree = workbench.tree('Skills');
    await tree.row('incident-summary');
    await tree.row('code-review');
    await tree.row('support-answer');
    await workbench.screenshot('first-tree');
  });

  it('offers to optimize above the first line of a skill', async function () {
    this.timeout(60_000);
    await workbench.editors.open('incident-summary/SKILL.md');
    const lenses = await workbench.lenses.texts();
    assert.ok(
      lenses.some((text) => text.includes('Optimize This Skill')),
      lenses.join(' | '),
    );
    await workbench.screenshot('first-lens');
  });

  it('trains the skill on the simulated model and stages a proposal', async function () {
    this.timeout(120_000);
    await workbench.lenses.click('Optimize This Skill');
    await workbench.quickInput.choose('Simulated');
    await workbench.toast(/incident-summary: Better/);
    await workbench.screenshot('first-proposed');
    assert.equal(readSkill(workbench), original, 'a run edits nothing');
  });

  it('shows the gate result, the tasks before and after, and the edits in the tree', async function () {
    this.timeout(60_000);
    const tree = workbench.tree('Skills');
    await workbench.clearToasts();
    await tree.expand('incident-summary');
    await tree.row('Gate: accepted');
    await tree.row('Proposed edits');
    await workbench.screenshot('first-gate');
    const rows = await tree.rows();
    assert.ok(
      rows.some((row) => /^0\/\d+ → [1-9]/.test(row.description ?? '')),
      JSON.stringify(rows),
    );
  });

  it('opens the proposal as an inline diff with a row of actions for each edit', async function () {
    this.timeout(60_000);
    await workbench.lenses.click('Proposed Edits');
    await workbench.editors.waitFor(/incident-summary/);
    await eventually(async () => (await workbench.diff.state()).mode === 'inline', 'the diff is inline');
    await eventually(async () => {
      const rows = (await rowTexts(workbench)).join(' | ');
      return rows.includes('Accept') && rows.includes('Reject');
    }, 'each edit has its row of actions');
    await workbench.screenshot('first-review');
    assert.equal(readSkill(workbench), original, 'looking changes nothing');
  });

  it('rejects one edit, which changes nothing on disk', async function () {
    this.timeout(90_000);
    const count = await editsLeft();
    await pressIn(workbench, /1 of \d/, 'Reject');
    await workbench.quickInput.choose('No reason');
    await eventually(async () => (await editsLeft()) === count - 1, 'one edit fewer is open');
    assert.equal(readSkill(workbench), original);
    await workbench.screenshot('first-rejected');
  });

  it('accepts one edit, takes it back with Ctrl+Z, and again with Ctrl+Y', async function () {
    this.timeout(120_000);
    const count = await editsLeft();
    await pressIn(workbench, /1 of \d/, 'Accept');
    // Longer, not only another: while it is being written the file is empty for a moment.
    await eventually(() => readSkill(workbench).length > original.length, 'the accepted edit is on disk');
    const accepted = readSkill(workbench);
    await workbench.screenshot('first-accepted');
    await workbench.press('Control+Z');
    await eventually(() => readSkill(workbench) === original, 'the skill is as it was');
    await eventually(async () => (await editsLeft()) === count, 'the edit is open again');
    await workbench.press('Control+Y');
    await eventually(() => readSkill(workbench) === accepted, 'the edit is in the file again');
  });

  async function editsLeft(): Promise<number> {
    const rows = (await rowTexts(workbench)).join(' | ');
    return Number(/1 of (\d+):/.exec(rows)?.[1] ?? 0);
  }

  it('undoes the whole adoption, byte for byte', async function () {
    this.timeout(60_000);
    await workbench.palette('Whetstone: Undo Last Adoption');
    await eventually(() => readSkill(workbench) === original, 'the skill is as it was');
    await eventually(async () => {
      const rows = await workbench.tree('Skills').rows();
      const edits = rows.filter(({ label }) => /^E\d /.test(label)).length;
      return rows.some((row) => row.label === 'Proposed edits' && row.description === `${edits - 1} open`);
    }, 'what was accepted is open again, what was rejected is not');
    await workbench.screenshot('first-undone');
  });

  it('turns nightly training on and off in the status bar', async function () {
    this.timeout(60_000);
    await workbench.statusBar.click('Nightly off');
    await workbench.quickInput.choose('Turn Nightly Training On');
    await workbench.quickInput.message();
    await workbench.press('Enter');
    await workbench.dialogs.press('Turn On');
    await workbench.statusBar.item('1 proposal');
    assert.match(await workbench.statusBar.tooltip('1 proposal'), /Next: .*03:17/);
    await workbench.screenshot('first-nightly-on');
    await workbench.statusBar.click('1 proposal');
    await workbench.quickInput.choose('Turn Nightly Training Off');
    await workbench.statusBar.item('Nightly off');
  });
});

function readSkill({ session }: Workbench): string {
  assert.ok(session.workspace, 'the test opens a folder');
  return readFileSync(path.join(session.workspace, skill), 'utf8');
}
