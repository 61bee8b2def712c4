/**
 * Each test of this suite starts where the one before it ended: after a failure the rest is not begun. Unlike mocha's own
 * `bail`, which leaves out the whole suite where any other script failed before it, and says nothing of that.
 */
export function stepByStep(): void {
  let failed: string | undefined;
  beforeEach(() => {
    if (failed !== undefined) throw new Error(`Not begun: it starts where “${failed}” should have ended.`);
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') failed = this.currentTest.title;
  });
}
