import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import {
  openForReviews,
  openReview,
  placeOf,
  pressIn,
  readSkill,
  stage,
  waitForRow,
  waitForSkill,
} from './reviewDriver.js';

const name = 'incident-summary';
const folder = `.claude/skills/${name}`;
const demo = path.resolve('media/demo', folder);

const original = readFileSync(path.join(demo, 'SKILL.md'), 'utf8');
const edits = [
  {
    op: 'replace',
    anchor: 'Be thorough and explain everything.',
    content: 'Keep the answer under 600 characters.',
    rationale: 'Readers stop after a screen.',
  },
  {
    op: 'insert_after',
    anchor: '5. What is still at risk.',
    content:
      '6. A line that starts with “Severity:”.\n7. A line that starts with “Next update:”.\n8. The facts. Never say “I think”.',
    rationale: 'Nobody knew how bad it was, or when to look again.',
  },
  { op: 'append', content: 'Mention the weather.', rationale: 'It might matter.' },
] as const;

describe('part of a proposal', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async function () {
    workbench = await openForReviews();
    cpSync(demo, path.join(placeOf(workbench).workspace, folder), { recursive: true });
    await workbench.updateSettings({ 'whetstone.model.target': 'simulated' });
  });
  after(() => workbench.close());

  it('is said to be not measured, is measured on request, and then carries its own verdict', async function () {
    await stage(workbench, { name, text: original, edits });
    await openReview(workbench, name);
    await pressIn(workbench, /1 of 3/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('Severity:'));
    await pressIn(workbench, /1 of 2/, 'Accept');
    await waitForSkill(workbench, name, (text) => text.includes('under 600'));
    await waitForRow(
      workbench,
      /Measure What I Accepted\W+\d+ to \d+ calls.*Not measured: 2 of 3 edits are in the file/,
    );
    await workbench.openContainer('Whetstone');
    await waitForDescription(/^not measured, part of it is in the file · 1 edit pending/);
    await workbench.statusBar.item(/1 not measured/);
    await workbench.screenshot('review-to-be-measured');
    await pressIn(workbench, /Measure What I Accepted/, 'Measure What I Accepted');
    const verdict = await workbench.toast(/^(Improved|No improvement found|Not shown|Undecided)/);
    assert.match(verdict, /\d+ % .*on \d+ held-out tasks/);
    await waitForRow(workbench, /Improved from \d+ % to \d+ % on \d+ held-out tasks \(simulated\)/);
    await waitForDescription(/^in the file: \d+ % → \d+ % · improved · 1 edit pending/);
    await workbench.page.locator('.part.statusbar', { hasText: 'not measured' }).waitFor({ state: 'detached' });
    await workbench.screenshot('review-measured');
  });

  if (process.env['WHETSTONE_FULL'] === '1')
    it('is measured again where the file is no longer the one of the run', async function () {
      const now = original.replace('# ', '# Our ');
      assert.notEqual(now, original);
      await workbench.clearToasts();
      await stage(workbench, { name, text: original, edits: edits.slice(0, 2), now });
      await openReview(workbench, name);
      await waitForRow(workbench, /Not measured on this text/);
      await workbench.toasts.press(/changed since the run/, 'Measure Again');
      assert.match(await workbench.toast(/^Improved/), /from \d+ % to \d+ % on \d+ held-out tasks/);
      await waitForRow(workbench, /Improved from \d+ % to \d+ % on \d+ held-out tasks \(simulated\)/);
      assert.equal(readSkill(workbench, name), now);
      await workbench.screenshot('review-measured-again');
    });

  async function waitForDescription(pattern: RegExp): Promise<void> {
    const row = await workbench.tree('Skills').row(name);
    await row.locator('.label-description').filter({ hasText: pattern }).waitFor();
  }
});
