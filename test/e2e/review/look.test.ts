import assert from 'node:assert/strict';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { inFull } from '../driver/inFull.js';
import { chinese, deletionAtTheEnd, firstLine, huge, lastLine, report, windows } from './reviewCases.js';
import { openForReviews, openReview, rowTexts, stage } from './reviewDriver.js';

const full = process.env['WHETSTONE_FULL'] === '1';
const themes = {
  'high-contrast-light': 'Default High Contrast Light',
  light: 'Light Modern',
  'high-contrast-dark': 'Default High Contrast',
};
/** Like the report, which is in the short numbers; bytes of every kind are kept in the tests of the host. */
const shapes = full ? [deletionAtTheEnd, firstLine, lastLine, windows, chinese] : [];

describe('a review, as a person sees it', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async function () {
    workbench = await openForReviews();
    for (const skill of [report, ...shapes, ...(full ? [huge] : [])]) {
      await stage(workbench, skill);
    }
  });
  after(() => workbench.close());

  it('is inline, folded and wrapped, with a row a change and the first reason open', async () => {
    await openReview(workbench, report.name);
    const { mode, removed } = await workbench.diff.state();
    assert.equal(mode, 'inline');
    assert.ok(removed.some((line) => line.includes('3. Draw the charts.')));
    const rows = (await rowTexts(workbench)).join('\n');
    assert.match(rows, /Accept All \| Reject All \| Report \| Improved from 42 % to 81 % on 12 held-out tasks/);
    assert.match(rows, /Accept \| Reject \| Why \| 1 of 3 · E1 · \+18 pts on training tasks$/m);
    const [thread, ...more] = await workbench.threads.open();
    assert.match(thread?.label ?? '', /^E1 replaces · \+\d+ tokens/);
    assert.match(thread?.comments[0]?.text ?? '', /Why: Three of five failing tasks/);
    assert.deepEqual(more, []);
    await workbench.screenshot('review-report');
  });

  it('leaves the Comments panel closed', async () => {
    assert.equal(await workbench.page.locator('.part.panel:visible').count(), 0);
  });

  for (const [theme, name] of Object.entries(themes)) {
    // A picture for people to look at, and nothing but that.
    inFull(`can be read in ${theme}`, async () => {
      await workbench.updateSettings({ 'workbench.colorTheme': name });
      await workbench.screenshot(`review-report-${theme}`);
      await workbench.updateSettings({ 'workbench.colorTheme': 'Dark Modern' });
    });
  }

  for (const skill of shapes) {
    it(`can be read: ${skill === chinese ? 'a skill in Chinese' : skill.name}`, async () => {
      await openReview(workbench, skill.name);
      const { mode } = await workbench.diff.state();
      assert.equal(mode, 'inline');
      assert.match((await rowTexts(workbench)).join('\n'), /Accept \| Reject \| Why \| 1 of \d · E1/);
      await workbench.screenshot(`review-${skill === chinese ? 'chinese' : skill.name}`);
    });
  }

  if (full)
    it('can be read: a skill of 3,000 lines with 40 changes', async () => {
      await openReview(workbench, huge.name);
      assert.match((await rowTexts(workbench)).join('\n'), /Accept \| Reject \| Why \| 1 of 40 · E1/);
      await workbench.screenshot('review-huge');
    });
});
