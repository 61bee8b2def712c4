import path from 'node:path';
import { Actions } from '../driver/actions.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openEmptyFolder, openOwnSkill, startAnew, walkDemo, walkEmptyFolder, walkOwnSkill } from './walks.js';

const vsix = path.resolve('whetstone.vsix');
const sizes = [
  { width: 1000, height: 700 },
  { width: 1400, height: 900 },
];

/** The same walks as a person with a small or a large window sees them, dark and light: for looking at. */
for (const theme of ['dark', 'light'] as const) {
  for (const size of sizes) {
    const look = `${size.width}-${theme}`;
    describe(`the walks at ${size.width}x${size.height}, ${theme}`, () => {
      let workbench: Workbench;
      pictureOnFailure(() => workbench);
      afterEach(() => workbench.close());

      it('empty folder: ten actions; own skill: eight', async function () {
        this.timeout(400_000);
        workbench = await openEmptyFolder({ theme });
        await workbench.page.setViewportSize(size);
        const pictureOfEmpty = (stop: string) => workbench.screenshot(`walk-${look}-empty-${stop}`);
        await walkEmptyFolder({ workbench, actions: new Actions(10), picture: pictureOfEmpty });
        await startAnew(workbench);
        const skill = await openOwnSkill({ workbench });
        const picture = (stop: string) => workbench.screenshot(`walk-${look}-own-${stop}`);
        await walkOwnSkill({ workbench, actions: new Actions(8), picture }, skill);
      });

      it('demo: six actions', async function () {
        this.timeout(300_000);
        workbench = await openWorkbench({ vsix, theme });
        await workbench.page.setViewportSize(size);
        const picture = (stop: string) => workbench.screenshot(`walk-${look}-demo-${stop}`);
        await walkDemo({ workbench, actions: new Actions(6), picture });
      });
    });
  }
}
