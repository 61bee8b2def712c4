import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { stagedDecisions, stagedStore } from '../../builders/stageProposal.js';
import { proposalFile } from '../../../src/storage/proposals/proposals.js';
import { eventually } from '../driver/eventually.js';
import { patienceMs } from '../driver/patience.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { report } from './reviewCases.js';
import {
  chooseReview,
  openForReviews,
  openReview,
  placeOf,
  pressIn,
  readSkill,
  stage,
  waitForRow,
  waitForSkill,
} from './reviewDriver.js';
import { inFull } from '../driver/inFull.js';

describe('deciding on a proposal', () => {
  let workbench: Workbench;
  let turn = 0;
  let name = '';
  let skillPath = '';
  pictureOnFailure(() => workbench);
  before(async function () {
    workbench = await openForReviews();
  });
  after(() => workbench.close());
  beforeEach(async () => {
    turn += 1;
    name = `report-${turn}`;
    skillPath = await stage(workbench, { ...report, name });
    await openReview(workbench, name);
  });

  it('accepts with a press, opens the next reason, and takes it back with Ctrl+Z where the focus is', async () => {
    const before = readSkill(workbench, name);
    await pressIn(workbench, /1 of 3/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
    await waitForRow(workbench, /1 of 2 · E2\b/);
    await eventually(
      async () => (await workbench.threads.open()).map(({ label }) => label.slice(0, 10)).join() === 'E2 inserts',
      'the next reason, and no other, is open',
    );
    await waitForRow(workbench, /Measure What I Accepted.*Not measured: 1 of 3 edits is in the file/);
    await workbench.screenshot('review-partly-accepted');
    await workbench.press('Control+Z');
    await waitForSkill(workbench, name, (text) => text === before);
    await waitForRow(workbench, /1 of 3 · E1\b/);
    await workbench.press('Control+Y');
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
    await eventually(
      async () => (await workbench.page.locator('.tab.dirty').count()) === 0,
      'nothing is left unsaved, a moment after it is on disk',
    );
  });

  it('asks why after a rejection, and writes the answer down', async () => {
    await pressIn(workbench, /2 of 3/, 'Reject');
    assert.deepEqual(
      (await workbench.quickInput.items()).map((item) => item.split(/[:,]/)[0]),
      [
        'Wrong',
        'Too long',
        'Only fits these tasks',
        'Unsafe',
        'Already said elsewhere in the skill',
        'In My Own Words…',
        'No reason',
      ],
    );
    await workbench.screenshot('review-why-rejected');
    await workbench.quickInput.choose('Too long');
    await waitForRow(workbench, /2 of 2 · E3\b/);
    // The rejection is written down at once, its reason as soon as it is given.
    await eventually(async () => {
      const decision = (await stagedDecisions(placeOf(workbench), skillPath))?.['E2'];
      return decision?.kind === 'rejected' && decision.reason === 'too long';
    }, 'E2 is rejected as too long');
    assert.equal(readSkill(workbench, name), report.text);
  });

  inFull('accepts in the title of a reason', async () => {
    await workbench.threads.press(/E1 replaces/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
    await waitForRow(workbench, /1 of 2 · E2\b/);
    await workbench.page.locator('.review-widget:visible', { hasText: 'E2 inserts' }).waitFor();
  });

  it('accepts and rejects at the cursor by keyboard', async () => {
    await clickLine('Render page 1');
    await workbench.press('Control+Alt+Y');
    await waitForSkill(workbench, name, (text) => text.includes('Render page 1'));
    await workbench.page.locator('.review-widget:visible', { hasText: 'E3 removes' }).waitFor();
    await workbench.press('Control+Alt+N');
    await workbench.quickInput.dismiss();
    await waitForRow(workbench, /1 of 1 · E1\b/);
  });

  inFull('takes the native Revert Block for a rejection', async () => {
    await waitForRow(workbench, /1 of 3/);
    await workbench.page.mouse.move(0, 0); // the change under the pointer shows its arrow too
    await workbench.page.locator('.monaco-diff-editor a[aria-label="Revert Block"]:visible').first().click();
    await waitForRow(workbench, /1 of 2 · E2\b/);
    await waitForDecision('E1', 'rejected');
    await clickLine('Read the file');
    await workbench.press('Control+Z');
    await waitForRow(workbench, /1 of 3 · E1\b/);
    await waitForDecision('E1', undefined);
  });

  inFull('lets the person write in the proposal, and asks nothing when it is closed', async () => {
    await clickLine('Render page 1');
    await workbench.press('End');
    await workbench.page.keyboard.type(' Then look again.');
    await waitForRow(workbench, /2 of 3 · E2\b.*edited by you.*not measured as edited/);
    await workbench.screenshot('review-edited');
    await workbench.page.locator('.tab.active:not(.dirty)').waitFor();
    await workbench.press('Control+F4');
    await openReview(workbench, name);
    await waitForRow(workbench, /2 of 3 · E2\b.*edited by you/);
  });

  inFull('accepts all and rejects all from the title of the editor', async () => {
    await workbench.page.locator('.editor-actions a[aria-label^="Accept All Proposed Edits"]').click();
    await waitForSkill(workbench, name, (text) => text.includes('Render page 1') && !text.includes('Surprise'));
    await waitForRow(workbench, /Review finished: all accepted.*Improved from 42 % to 81 %/);
    await workbench.screenshot('review-all-decided');
    await workbench.press('Control+Z');
    await waitForSkill(workbench, name, (text) => text === report.text);
    await waitForRow(workbench, /1 of 3 · E1\b/); // what closes it earlier is asked whether to save
  });

  if (process.env['WHETSTONE_FULL'] === '1')
    it('is there again after a reload, as it was left, and goes on; a tab whose proposal is gone is not', async function () {
      await pressIn(workbench, /1 of 3/, 'Accept');
      await waitForSkill(workbench, name, (text) => text.includes('at most four charts'));
      await waitForRow(workbench, /1 of 2 · E2\b/);
      await workbench.palette('View: Pin Editor');
      const gone = `gone-${turn}`;
      const gonePath = await stage(workbench, { ...report, name: gone });
      await chooseReview(workbench, gone);
      unlinkSync(proposalFile(await stagedStore(placeOf(workbench), gonePath)));
      forget(gone);
      await workbench.reload();

      // VS Code puts the tab back before any extension runs; it must go by itself, and stay away.
      const broken = async (): Promise<number> =>
        (await workbench.page.locator('.tab', { hasText: `${gone}: ` }).count()) +
        (await workbench.page.getByText('was not found').filter({ visible: true }).count());
      for (let looks = 0, quiet = 0; quiet < 20; looks += 1) {
        assert.ok(looks < 300, 'the tab without a proposal is still there');
        quiet = (await broken()) === 0 ? quiet + 1 : 0;
        await workbench.page.waitForTimeout(100);
      }
      await workbench.editors.waitFor(new RegExp(`^${name}`));
      await waitForRow(workbench, /1 of 2 · E2\b/);
      assert.equal((await workbench.diff.state()).mode, 'inline');
      await workbench.screenshot('review-after-reload');
      await pressIn(workbench, /2 of 2/, 'Accept');
      await waitForSkill(workbench, name, (text) => !text.includes('Surprise'));
    });

  /** Takes away what the window keeps of the review of a skill. */
  function forget(skill: string): void {
    const reviews = path.join(workbench.session.folder, 'user-data/User/globalStorage/whetstone.whetstone/reviews');
    const mine = readdirSync(reviews).filter((id) =>
      readFileSync(path.join(reviews, id, 'review.json'), 'utf8').includes(skill),
    );
    assert.equal(mine.length, 1, mine.join());
    for (const id of mine) rmSync(path.join(reviews, id), { recursive: true });
  }

  /** In the proposal itself: the file's own lines are drawn too, out of sight. */
  async function clickLine(text: string): Promise<void> {
    await workbench.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: text }).first().click();
  }

  async function waitForDecision(id: string, kind: string | undefined): Promise<void> {
    const started = Date.now();
    while ((await stagedDecisions(placeOf(workbench), skillPath))?.[id]?.kind !== kind) {
      if (Date.now() - started > patienceMs) throw new Error(`in vain: ${id} is ${kind ?? 'open'}`);
      await workbench.page.waitForTimeout(100);
    }
  }
});
