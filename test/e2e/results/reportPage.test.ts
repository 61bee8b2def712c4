import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { reportHtml } from '../../../src/editor/report/reportHtml.js';
import { candidateTable, reportWords } from '../../../src/editor/report/reportWords.js';
import type { ReportData } from '../../../src/app/results/reportData.js';
import type { CandidateFacts } from '../../../src/wording/candidateText.js';
import type { Say } from '../../../src/wording/translate.js';
import { aReport } from '../../builders/aReport.js';
import { inFull } from '../driver/inFull.js';
import { plainBrowser } from '../driver/plainBrowser.js';
import { takeScreenshot } from '../driver/takeScreenshot.js';
import { seriousFindings } from './resultsDriver.js';

/** The exported report: one file in a plain browser, in every colour scheme. */
describe('the page of the report', () => {
  const browser = plainBrowser();

  // In npm test axe looks at the report in the window, and at the file that is exported there (results in the tree).
  for (const colorScheme of ['light', 'dark'] as const) {
    inFull(
      `says everything to a screen reader, ${colorScheme}: axe finds nothing serious, charts open or closed`,
      async () => {
        const page = await openReport(browser(), { colorScheme });
        assert.deepEqual(await seriousFindings(page.mainFrame()), []);
        for (const summary of await page.locator('summary').all()) await summary.click();
        assert.deepEqual(await seriousFindings(page.mainFrame()), []);
        await takeScreenshot(page, `report-page-${colorScheme}`);
        await page.close();
      },
    );
  }

  it('has a table for every chart, with the same figures, and names tasks that cannot decide', async () => {
    const page = await openReport(browser(), {});
    assert.deepEqual(await page.locator('header p.settled').allTextContents(), aReport().settled);
    const captions = await page.locator('table caption').allTextContents();
    assert.deepEqual(captions, [
      'Score over steps',
      'Tasks by step',
      'Edits and what they are worth',
      'Spend by role',
      'History of the skill',
    ]);
    for (const title of captions) {
      const section = page.locator('section').filter({ has: page.locator('h2', { hasText: title }) });
      assert.equal(await section.locator('svg').count(), 1, title);
    }
    await page.close();
  });

  it('has the candidates of a run that chose by more than the score in a table that is open', async () => {
    const page = await openReport(browser(), {});
    assert.equal(await page.locator('#candidates').count(), 0);
    await page.close();
    const measures = { tasks: 8, answerTokens: 120, answerMs: undefined, outcome: 'higher' } as const;
    const candidates = {
      rule: 'score',
      original: { ...measures, score: 0.4, skillTokens: 400 },
      proposed: { ...measures, id: 'C1', score: 0.8, skillTokens: 450 },
      others: [{ ...measures, id: 'C2', score: 0.6, skillTokens: 380 }],
    };
    const chosen = await openReport(browser(), {}, () => undefined, {
      facts: { verdict: { kind: 'accepted' }, candidates },
      data: {
        curve: [0, 0.5].map((training, step) => ({
          step,
          training,
          decision: '',
          candidate: undefined,
          best: undefined,
        })),
      },
    });
    const section = chosen.locator('section[aria-labelledby="candidates"]');
    assert.match((await section.locator('.about').first().textContent()) ?? '', /^Chosen by the rule “score”: /);
    const curve = chosen.locator('section[aria-labelledby="curve"]');
    assert.match(await curve.innerText(), /Training score that each step started from[^]*Training/);
    assert.equal(await section.locator('table').isVisible(), true);
    assert.deepEqual(await section.locator('tbody tr').allInnerTexts(), [
      'original\t40 %\t400\t120\tthe skill as it was',
      'C1\t80 %\t450\t120\tproposed: improved',
      'C2\t60 %\t380\t120\tnot certified',
    ]);
    assert.deepEqual(await seriousFindings(chosen.mainFrame()), []);
    await takeScreenshot(chosen, 'report-page-candidates');
    await chosen.close();
  });

  it('keeps the statistics behind a word, and what was certified in columns of its own', async () => {
    const page = await openReport(browser(), {});
    const statistics = page.locator('header details');
    assert.equal(await statistics.locator('summary').textContent(), 'Statistics');
    assert.equal(await statistics.locator('li').first().isVisible(), false);
    await statistics.locator('summary').click();
    assert.equal(await statistics.locator('li').first().isVisible(), true);
    const curve = page.locator('section[aria-labelledby="curve"] table');
    assert.deepEqual(await curve.locator('thead th').allTextContents(), [
      'Step',
      'Training',
      'Candidate',
      'Best so far',
      'before',
      'after',
      'Decision',
    ]);
    const cells = await curve.locator('tbody tr').last().locator('th, td').allTextContents();
    assert.deepEqual(cells.slice(0, 4), ['Measured', '–', '–', '–']);
    assert.match(cells.slice(4, 6).join(' '), /^\d+ % \d+ %$/);
    await page.close();
  });

  // In the short numbers the row of the tree says it.
  inFull('says with which others an edit was measured, in the chart and in the table', async () => {
    const page = await openReport(browser(), {});
    const section = page.locator('section[aria-labelledby="edits"]');
    const labels = await section
      .locator('svg [tabindex="0"]')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''));
    assert.match(labels[0] ?? '', /^E1, Name the symptom first\.: \+18, together with E4, /);
    await section.locator('summary').click();
    const table = (await section.locator('table').textContent()) ?? '';
    assert.match(table, /\+18, together with E4/);
    assert.match(table, /E2Say which version it is, and since when\./);
    await page.close();
  });

  it('can be walked through with the keyboard: every point can be focused and says what it is', async () => {
    const page = await openReport(browser(), {});
    const points = await page
      .locator('svg [tabindex="0"]')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''));
    assert.ok(points.length > 10);
    assert.deepEqual(
      points.filter((label) => label === ''),
      [],
    );
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Statistics');
    await page.keyboard.press('Tab');
    const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    assert.equal(focused, points[0]);
    await page.close();
  });

  it('asks nothing of the network and runs nothing that a model wrote', async () => {
    const asked: string[] = [];
    const page = await openReport(browser(), {}, (url) => asked.push(url));
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.match((await page.locator('main').textContent()) ?? '', /<script>window\.hacked/);
    assert.deepEqual(
      asked.filter((url) => /^https?:/.test(url)),
      [],
    );
    await page.close();
  });
});

const say: Say = (text, ...values) => text.replace('{0}', String(values[0] ?? '{0}'));

async function openReport(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0],
  asked: (url: string) => void = () => {},
  { facts, data }: { readonly facts?: CandidateFacts; readonly data?: Partial<ReportData> } = {},
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1400 }, ...options });
  page.on('request', (request) => asked(request.url()));
  const payload = { data: aReport(data), words: reportWords(say, 'en'), candidates: candidateTable(facts, say) };
  const html = reportHtml(payload, 'abc123', {
    kind: 'inlined',
    script: readFileSync('dist/report.js', 'utf8'),
    style: readFileSync('media/report.css', 'utf8'),
  });
  await page.setContent(html);
  await page.locator('#report h1').waitFor();
  return page;
}
