import type { Workbench } from './workbench.js';

/** Inside a `describe`: leaves `out/screenshots/failure-<test>.png` of the window for every test in it that fails. */
export function pictureOnFailure(workbench: () => Workbench): void {
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await workbench().screenshot(`failure-${this.currentTest.title.replaceAll(/\W+/g, '-').slice(0, 60)}`);
  });
}
