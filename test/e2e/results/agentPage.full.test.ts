import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { WorkEvent } from '../../../src/ports/agentWork.js';
import { answersPage, pageHtml, type PageAnswer } from '../../../src/wording/taskPage.js';
import { inFull } from '../driver/inFull.js';
import { plainBrowser } from '../driver/plainBrowser.js';
import { takeScreenshot } from '../driver/takeScreenshot.js';
import { seriousFindings } from './resultsDriver.js';

const long = 'word'.repeat(200);
const diff = `diff --git a/${long}.csv b/${long}.csv\n@@ -1,2 +1,2 @@\n item\n-${long}\n+${long} new\nignored: ${long}\n`;
const list: WorkEvent = { kind: 'tool', name: 'Bash', input: '', output: `a.csv\n${long}`, command: 'ls' };
const edit: WorkEvent = { kind: 'tool', name: 'Edit', input: `{"file_path":"${long}.csv"}`, output: '', ok: true };
const end: WorkEvent = { kind: 'end', ok: true, reason: 'done' };

/** The page of two attempts of agents, with words longer than any column, in a plain browser. */
describe('the page of an agent’s attempts', () => {
  const browser = plainBrowser();

  it('never is wider than its window: two columns, and one below the other where it is narrow', async () => {
    const page = await openPage(browser());
    for (const [width, columns] of [
      [1000, 2],
      [760, 2],
      [652, 1],
      [320, 1],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      assert.deepEqual(await widthsOf(page), { isWide: false, columns }, `${width} px`);
    }
    await page.setViewportSize({ width: 1000, height: 700 });
    for (const summary of await page.locator('summary').all()) await summary.click();
    assert.deepEqual(await widthsOf(page), { isWide: false, columns: 2 }, 'with every step open');
    const box = page.locator('pre.diff').first();
    assert.ok(await box.evaluate((pre) => pre.scrollWidth > pre.clientWidth), 'a long line scrolls in its own box');
    await takeScreenshot(page, 'agent-page');
    await page.close();
  });

  it('has the same parts and the same steps side by side', async () => {
    const page = await openPage(browser());
    for (const part of [
      'h4:has-text("Checks")',
      'h4:has-text("Answer")',
      'h4:has-text("did")',
      'h4:has-text("changed")',
      'li.command',
      'li.end',
    ])
      assert.equal(new Set(await topsOf(page, part)).size, 1, part);
    await page.close();
  });

  it('begins at the step that a row of the tree was pressed for', async () => {
    const page = await browser().newPage({ viewport: { width: 1000, height: 700 } });
    const events = Array.from({ length: 60 }, (_, at): WorkEvent => ({ ...list, command: `ls ${at}` }));
    const answers = [{ title: 'With the skill', checks: [], answer: '', work: { events, diff: '' }, wanted: 40 }];
    const body = answersPage({ id: 'one', prompt: 'Look around.' }, answers, []);
    await page.setContent(pageHtml('one', body, { nonce: 'n0', language: 'en' }));
    const wanted = page.locator('li.wanted');
    assert.match(await wanted.innerText(), /ls 40/);
    const { y = -1, height = 0 } = (await wanted.boundingBox()) ?? {};
    assert.ok(y >= 0 && y + Math.min(height, 100) <= 700, `it is in sight: ${y}`);
    await takeScreenshot(page, 'agent-page-step');
    await page.close();
  });

  inFull('is reached by the keyboard and says everything to a screen reader', async () => {
    const page = await openPage(browser());
    assert.deepEqual(await seriousFindings(page.mainFrame()), []);
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Command: ls');
    assert.deepEqual(await seriousFindings(page.mainFrame()), []);
    await page.close();
  });
});

async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
  const check = { criterion: `The file “${long}.csv” is changed.`, outcome: 'fail', reason: long } as const;
  const answer = { checks: [check], answer: `\`${long}\`` };
  const answers: readonly PageAnswer[] = [
    { ...answer, title: 'Without the skill: failed', work: { events: [list, end], diff: '' } },
    {
      ...answer,
      title: 'With the skill: passed',
      work: { events: [{ kind: 'skill', name: 'shop', how: 'tool' }, list, edit, end], diff },
    },
  ];
  await page.setContent(
    pageHtml('one', answersPage({ id: 'one', prompt: long }, answers, []), { nonce: 'n0', language: 'en' }),
  );
  return page;
}

async function widthsOf(page: Page): Promise<{ readonly isWide: boolean; readonly columns: number }> {
  const isWide = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth);
  const lefts = await page.locator('article').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  return { isWide, columns: new Set(lefts).size };
}

async function topsOf(page: Page, selector: string): Promise<readonly number[]> {
  const found = page.locator(`article ${selector}`);
  assert.equal(await found.count(), 2, selector);
  return found.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
}
