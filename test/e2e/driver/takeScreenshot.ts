import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const screenshots = path.resolve('out/screenshots');
const stillFor = 3; // pictures in a row that must agree: colours of a language come a moment after its text
const betweenMs = 250;
const atMost = 24; // something that never rests (a spinner) is photographed all the same

const areWanted = process.env['WHETSTONE_NO_PICTURES'] !== '1';

/**
 * Writes `out/screenshots/<name>.png` without caret and motion, and returns its path. Where nobody will look at pictures
 * (`npm test`) it writes none: a second each, for every state of every view.
 */
export async function takeScreenshot(page: Page, name: string): Promise<string> {
  return areWanted ? takeAnyway(page, name) : '';
}

/** The same, also where no pictures are wanted: of what failed. */
export async function takeAnyway(page: Page, name: string): Promise<string> {
  mkdirSync(screenshots, { recursive: true });
  await page.evaluate('document.fonts.ready.then(() => true)');
  const file = path.join(screenshots, `${name}.png`);
  writeFileSync(file, await settledPicture(page));
  return file;
}

async function settledPicture(page: Page): Promise<Buffer> {
  let picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  for (let taken = 1, same = 1; same < stillFor && taken < atMost; taken += 1) {
    await pause(betweenMs);
    const next = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    same = next.equals(picture) ? same + 1 : 1;
    picture = next;
  }
  return picture;
}
