import { Actions } from '../driver/actions.js';
import { inFull } from '../driver/inFull.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openEmptyFolder, openOwnSkill, startAnew, walkEmptyFolder, walkOwnSkill } from './walks.js';

/** The first hour with a skill of one’s own, through the packaged extension: no folder `evals`, no model, nothing. */
describe('a skill of one’s own', function () {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openEmptyFolder();
  });

  after(() => workbench.close());

  it('comes from an empty folder to an accepted edit in at most ten actions', async function () {
    this.timeout(300_000);
    const picture = (stop: string) => workbench.screenshot(`empty-${stop}`);
    await walkEmptyFolder({ workbench, actions: new Actions(10), picture });
  });

  inFull('comes from a file without tasks to an accepted edit in at most eight actions', async function () {
    this.timeout(300_000);
    await startAnew(workbench);
    const skill = await openOwnSkill({ workbench });
    const picture = (stop: string) => workbench.screenshot(`own-${stop}`);
    await walkOwnSkill({ workbench, actions: new Actions(8), picture }, skill);
  });
});
