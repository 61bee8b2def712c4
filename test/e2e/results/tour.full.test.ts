import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo } from './resultsDriver.js';

const frames = path.resolve('out/tour');

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Optimize, review, accept, as the README shows it: WHETSTONE_PICTURES=1 leaves each frame in out/tour. */
describe('the tour', () => {
  let workbench: Workbench;
  let taken = 0;
  pictureOnFailure(() => workbench);

  before(async function () {
    workbench = await openDemo();
    await workbench.page.setViewportSize({ width: 1000, height: 640 });
  });

  after(async () => workbench.close());

  it('goes from a skill to its accepted edits', async function () {
    const { page, toasts } = workbench;
    await workbench.openContainer('Whetstone');
    await workbench.editors.open('incident-summary/SKILL.md');
    const optimize = page.locator('.codelens-decoration a', { hasText: 'Optimize This Skill' }).first();
    await optimize.waitFor();
    await workbench.updateSettings({ 'whetstone.model.target': 'simulated?latency=100' });
    await frame('skill', 1_800);
    await press('optimize', optimize);
    await toasts.text(/Optimizing incident-summary: .*\d/);
    await frame('running', 900, 'at once');
    await page.waitForTimeout(2_000); // to be seen further on
    await frame('proving', 900, 'at once');
    await workbench.toast(/incident-summary improved from/);
    const improved = page.locator('.notification-toast', { hasText: 'incident-summary improved from' }).first();
    await improved.hover(); // it stays while the pointer is on it, and that of the run goes
    await frame('proposed', 1_800);
    await press('review', improved.locator('.monaco-button', { hasText: 'Review Edits' }));
    await rowButton('Accept').waitFor();
    await frame('reviewed', 3_000);
    await press('accept', rowButton('Accept'));
    await page
      .locator('.codelens-decoration a', { hasText: /1 of 4/ })
      .or(page.getByText(/1 of 4 ·/))
      .first()
      .waitFor();
    await frame('accepted', 2_200);
    await press('accept-rest', rowButton('Accept (All|Rest)'));
    await workbench.toast(/edits? (is|are) /);
    await frame('done', 3_500);
  });

  /** The first button of the rows in the diff that says this. */
  function rowButton(words: string): Locator {
    const label = words === 'Accept' ? /^\W*Accept\W*$/ : new RegExp(words);
    return workbench.page.locator('.monaco-diff-editor .codelens-decoration:visible a', { hasText: label }).first();
  }

  /** A frame with a ring around what is about to be pressed; then it is. */
  async function press(name: string, button: Locator): Promise<void> {
    const box = await button.boundingBox();
    if (box === null) throw new Error(`${name} is not on the screen`);
    await workbench.page.evaluate(drawRing(box));
    await frame(`press-${name}`, 900);
    await workbench.page.evaluate(removeRing);
    await button.click();
    await workbench.page.mouse.move(600, 600); // no tooltip in the next one
  }

  /** `at once`: a window in which a run works does not come to rest. */
  async function frame(name: string, shownMs: number, when: 'at rest' | 'at once' = 'at rest'): Promise<void> {
    taken += 1;
    if (process.env['WHETSTONE_PICTURES'] !== '1') return;
    mkdirSync(frames, { recursive: true });
    const file = path.join(frames, `${String(taken).padStart(2, '0')}-${name}-${shownMs}ms.png`);
    if (when === 'at rest') copyFileSync(await workbench.screenshot(`tour-${name}`), file);
    else await workbench.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  }
});

function drawRing({ x, y, width, height }: Box): string {
  const place = `left: ${x - 6}px; top: ${y - 4}px; width: ${width + 8}px; height: ${height + 4}px`;
  return `(() => {
    const ring = document.createElement('div');
    ring.id = 'tour-ring';
    ring.style.cssText = 'position: fixed; ${place}; border: 2px solid #f5a623; border-radius: 6px; z-index: 100000';
    ring.style.pointerEvents = 'none';
    document.body.append(ring);
  })()`;
}

const removeRing = `document.querySelector('#tour-ring')?.remove()`;
