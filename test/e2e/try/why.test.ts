import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { report } from '../review/reviewCases.js';
import { openForReviews, openReview, pressIn, stage, waitForRow, waitForSkill } from '../review/reviewDriver.js';

describe('why, then accept', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async () => {
    workbench = await openForReviews();
  });
  after(() => workbench.close());
  for (const turn of [1, 2]) {
    it(`refreshes ${turn}`, async () => {
      const name = `why-${turn}`;
      await stage(workbench, { ...report, name });
      await openReview(workbench, name);
      await pressIn(workbench, /3 of 3/, 'Why');
      await new Promise((done) => setTimeout(done, 1500));
      await pressIn(workbench, /3 of 3/, 'Accept');
      const at = Date.now();
      await waitForSkill(workbench, name, (text) => text !== report.text);
      await waitForRow(workbench, /1 of 2/);
      await waitForRow(workbench, /Measure What I Accepted/);
      console.log('row after', Date.now() - at);
      await workbench.screenshot(`why-${turn}`);
    });
  }
});
