import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { frontOptions, writeFrontSkill } from '../../builders/aFrontSkill.js';
import { eventually } from '../driver/eventually.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { TreeView } from '../driver/treeView.js';
import type { Workbench } from '../driver/workbench.js';
import { openDemo, reportFrame, seriousFindings, whetstone } from './resultsDriver.js';

const skill = 'skills/harbour';
const wide = { width: 1400, height: 900 };
const narrow = { width: 1000, height: 700 };

/** A run that chooses by the score and the length of the skill: a person looks at what else it found, and takes that. */
describe('the candidates of a run, in the window', () => {
  let workbench: Workbench;
  let tree: TreeView;
  const folder = mkdtempSync(path.join(tmpdir(), 'whetstone-candidates-'));
  pictureOnFailure(() => workbench);
  before(async () => {
    writeFrontSkill(path.join(folder, skill));
    mkdirSync(path.join(folder, '.whetstone'));
    writeFileSync(
      path.join(folder, '.whetstone', 'config.yaml'),
      JSON.stringify({ skills: { [skill]: frontOptions } }),
    );
    workbench = await openDemo({ workspace: folder });
    await workbench.openContainer('Whetstone');
    tree = workbench.tree('Skills');
  });
  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are rows that are not certified, each with what certifying it takes', async () => {
    await tree.action('harbour', 'Optimize This Skill');
    await workbench.dialogs.press('Optimize');
    await workbench.toast(/harbour improved from/);
    await workbench.clearToasts();
    await tree.expand('harbour');
    await tree.collapse('Gate: improved');
    await tree.expand('Other candidates');
    await tree.row('Certify This One');
    assert.match(await described('C2'), /^not certified · 50 % on training tasks · \d+ tokens$/);
    assert.match(await described('Certify This One'), /^12 to \d+ calls, .*; 25 % of the error budget$/);
    await pictures('candidates-tree');
  });

  it('are a table in the report, with the rule that chose', async () => {
    await tree.action('Gate: improved', 'Show Report');
    const frame = await reportFrame(workbench);
    const section = frame.locator('section[aria-labelledby="candidates"]');
    await section.scrollIntoViewIfNeeded();
    assert.match(await section.innerText(), /Chosen by the rule “score”: the highest score on training tasks/);
    const rows = await section.locator('tbody tr').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.split('\t').at(-1)),
      ['the skill as it was', 'proposed: improved', 'not certified'],
    );
    assert.deepEqual(await seriousFindings(frame), []);
    await pictures('candidates-report', () => section.scrollIntoViewIfNeeded());
  });

  it('are reviewed as not measured', async () => {
    await tree.action('C2', 'Review This Candidate');
    await eventually(async () => (await workbench.lenses.texts()).some(isNotMeasured), 'the review says so');
    await tree.row('Gate: not measured');
    assert.match(await described('C1'), /^improved · 100 % on training tasks/);
    await pictures('candidates-review');
  });

  it('are certified once the price is seen and agreed to', async () => {
    await tree.expand('Gate: not measured');
    await tree.row('Certify This One');
    const price = await described('Certify This One');
    await tree.click('Certify This One');
    const asked = await workbench.dialogs.text();
    assert.match(asked, /Certify candidate C2 on held-out tasks\?/);
    const [, most, share] = /to (\d+) calls, .*; (\d+ % of the error budget)$/.exec(price) ?? [];
    for (const part of [`at most ${most} calls`, share ?? price])
      assert.ok(asked.includes(part), `${price}\nis not what is asked:\n${asked}`);
    await pictures('candidates-certify');
    await workbench.dialogs.press('Certify');
    const said = await workbench.toast(/^C2: /);
    await workbench.screenshot('candidates-certified');
    assert.match(
      await whetstone(workbench, 'show', skill),
      /^C2 .*(?:improved|no improvement found|not shown|undecided)$/m,
      said,
    );
  });

  async function described(label: string): Promise<string> {
    return (await tree.rows()).find((row) => row.label === label)?.description ?? '';
  }

  /** At the size that most windows have, and in a small one. */
  async function pictures(name: string, look = (): Promise<void> => Promise.resolve()): Promise<void> {
    await workbench.screenshot(name);
    await workbench.page.setViewportSize(narrow);
    await look();
    await workbench.screenshot(`${name}-1000`);
    await workbench.page.setViewportSize(wide);
    await look();
  }
});

function isNotMeasured(row: string): boolean {
  return /not certified|not measured/i.test(row);
}
