import path from 'node:path';
import { Actions } from '../driver/actions.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openOwnSkill, walkOwnSkill } from './walks.js';

/** The first hour with a skill of one's own, through the packaged extension. */
describe('a skill of one’s own', function () {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);

  before(async function () {
    this.timeout(180_000);
    workbench = await openWorkbench({ vsix: path.resolve('whetstone.vsix'), workspace: 'no-skills' });
  });

  after(() => workbench.close());

  it('comes from a file without tasks to an accepted edit in at most eight actions', async function () {
    this.timeout(180_000);
    const skill = await openOwnSkill({ workbench });
    const picture = (stop: string) => workbench.screenshot(`own-${stop}`);
    await walkOwnSkill({ workbench, actions: new Actions(8), picture }, skill);
  });
});
