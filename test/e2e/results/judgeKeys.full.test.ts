import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo, seriousFindings, whetstone } from './resultsDriver.js';

const folder = '.claude/skills/greeter';

/** Answers are labelled with the keyboard alone, at 1000 × 700: one key each, from the palette to the row of the judge. */
describe('labelling what the judge graded, in the window', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async () => {
    workbench = await openDemo();
    const skill = path.join(workbench.session.workspace ?? '', folder);
    mkdirSync(path.join(skill, 'evals'), { recursive: true });
    writeFileSync(
      path.join(skill, 'SKILL.md'),
      '---\nname: greeter\ndescription: Greets people.\n---\n\n# Greeter\n\nSay hello to people. Mention “harbour”.\n',
    );
    const evals = Array.from({ length: 16 }, (_, index) => ({
      id: `greet-${index}`,
      prompt: `Greet visitor number ${index} of the ${['mill', 'school', 'tower', 'bakery'][index % 4] ?? ''}.`,
      expectations: [index % 2 === 0 ? 'The answer contains “harbour”.' : 'The answer contains “velvet”.'],
    }));
    writeFileSync(path.join(skill, 'evals/evals.json'), JSON.stringify({ evals }));
    await whetstone(workbench, 'evaluate', folder, '--model', 'simulated', '--json');
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    await workbench.openFile(`${folder}/SKILL.md`);
  });
  after(() => workbench.close());

  it('takes a key for each answer, with a way back, and needs no pointer', async () => {
    await workbench.palette('Whetstone: Check the Judge');
    await place(/^Answer 1 of/);
    await workbench.screenshot('judge-label-1000');
    await workbench.press('p');
    await place(/^Labelled: pass\. Answer 2 of/);
    await workbench.press('b');
    await place(/^Answer 1 of/);
    await workbench.press('f');
    await place(/^Labelled: fail\. Answer 2 of/);
    await workbench.press('s');
    await place(/^Skipped\. Answer 3 of/);
    const { labels } = JSON.parse(
      readFileSync(path.join(workbench.session.workspace ?? '', folder, 'evals/judge.json'), 'utf8'),
    );
    assert.deepEqual(
      labels.map((each: { readonly label: string }) => each.label),
      ['fail'],
    );
    assert.deepEqual(await findings(), []);
  });

  it('says at the end where the judge stands, and so does its row in the tree', async () => {
    for (let at = 3; (await heading()).includes('criterion'); at += 1) {
      await workbench.press(at % 3 === 0 ? 'f' : 'p');
      await eventually(async () => !(await said()).includes(`Answer ${at} of`), `answer ${at} is labelled`);
    }
    assert.match(await heading(), /The judge of greeter/);
    await workbench.screenshot('judge-report-1000');
    assert.deepEqual(await findings(), []);
    await workbench.openContainer('Whetstone');
    const tree = workbench.tree('Skills');
    await tree.expand('greeter');
    await tree.row('Judge');
    await workbench.screenshot('judge-row-1000');
  });

  async function text(selector: string): Promise<string> {
    return (await workbench.webview('h1')).locator(selector).first().innerText();
  }

  function heading(): Promise<string> {
    return text('h1');
  }

  /** What happened last, and which answer it is; nothing on the last page. */
  async function said(): Promise<string> {
    const page = await workbench.webview('h1');
    return (await page.locator('[role=status]').allInnerTexts()).join('');
  }

  function place(pattern: RegExp): Promise<void> {
    return eventually(async () => pattern.test(await said()), `the page says ${pattern}`);
  }

  async function findings(): Promise<readonly string[]> {
    for (const frame of workbench.page.frames()) {
      const drawn = await frame.$('main h1').catch(() => null);
      if (drawn !== null) return seriousFindings(frame);
    }
    return assert.fail('the page is open');
  }
});
