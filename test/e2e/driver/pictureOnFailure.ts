import { takeAnyway } from './takeScreenshot.js';
import type { Workbench } from './workbench.js';

/**
 * Inside a `describe`: leaves `out/screenshots/failure-<test>.png` of the windows for every test in it that fails, and
 * keeps other scripts from taking over such a window.
 */
export function pictureOnFailure(workbench: () => Workbench | undefined): void {
  // A hook that failed leaves tests that never ran.
  after(function () {
    const tests = this.test?.parent?.tests ?? [];
    if (tests.some(({ state }) => state !== 'passed')) workbench()?.spoil();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    const name = `failure-${this.currentTest.title.replaceAll(/\W+/g, '-').slice(0, 60)}`;
    for (const [index, page] of workbench()?.page.context().pages().entries() ?? []) {
      await takeAnyway(page, index === 0 ? name : `${name}-${index + 1}`);
    }
  });
}
