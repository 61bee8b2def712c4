import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { answering } from '../answering.js';
import { aKnownSkill } from '../../builders/aKnownSkill.js';
import { rowsBeneath } from '../results/rowsBeneath.js';
import { aSkill, chooseSimulated, pagesOf, type OpenedPage } from './taskWindow.js';
import { until } from '../until.js';

const Labels = z.object({ labels: z.array(z.object({ id: z.string(), label: z.string() })) });

/** A person goes through answers that the judge graded, one key each, and sees where it disagrees. */
describe('Check the Judge', () => {
  let skillPath: string;
  let page: OpenedPage;
  before(async () => {
    await chooseSimulated();
    const evals = Array.from({ length: 16 }, (_, index) => ({
      id: `judged-${index}`,
      prompt: `Greet visitor number ${index} of the ${['mill', 'school', 'tower', 'bakery'][index % 4] ?? ''}.`,
      expectations: [index % 2 === 0 ? 'The answer contains “harbour”.' : 'The answer contains “velvet”.'],
    }));
    skillPath = aSkill('judged', { 'evals/evals.json': { evals } });
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('says what is missing before a judge has graded anything', async () => {
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.checkJudge', skillPath));
    assert.match(errors.join(' '), /No answer that a judge model graded is kept for this skill/);
  });

  it('lists the skills that have something to label first, and says of the others why they have not', async () => {
    aSkill('unjudged', { 'evals/evals.json': { evals: [] } });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('whetstone.updateRecord', skillPath);
    // A skill that was just written is found a moment later.
    const { rows, menus } = await until(async () => {
      const asked = await answering({}, () => vscode.commands.executeCommand('whetstone.checkJudge'));
      return asked.rows.some((row) => row.startsWith('unjudged: ')) ? asked : undefined;
    }, 'the new skill among the others');
    assert.deepEqual(menus, ['Which skill? | ']);
    const at = (name: string): number => rows.findIndex((row) => row.startsWith(`${name}: `));
    assert.ok(at('judged') >= 0 && at('judged') < at('unjudged'), rows.join('\n'));
  });

  it('shows one answer at its criterion, a key each, without what the judge said', async () => {
    await vscode.commands.executeCommand('whetstone.updateRecord', skillPath);
    const [opened, ...more] = await pagesOf(() => vscode.commands.executeCommand('whetstone.checkJudge', skillPath));
    assert.ok(opened !== undefined && more.length === 0);
    page = opened;
    assert.match(page.text(), /Does the answer meet the criterion\?\s+The answer contains/);
    assert.match(page.text(), /Answer 1 of 1\d\. Labels so far: 0; at least 12 are needed\./);
    assert.doesNotMatch(page.text(), /Met:|Not met:/);
    assert.deepEqual(keysIn(page), ['p', 'f', 's', 'q']);
  });

  it('keeps a label at once, goes back to change it, and takes no key that came too late', async () => {
    const first = idIn(page);
    await press('p');
    assert.match(page.text(), /Labelled: pass\. Answer 2 of/);
    assert.deepEqual(labels(), [[first, 'pass']]);
    await vscode.commands.executeCommand('whetstone.labelAnswer', { skillPath, id: first, label: 'fail' });
    assert.deepEqual(labels(), [[first, 'pass']]);
    await press('b');
    assert.equal(idIn(page), first);
    await press('f');
    assert.deepEqual(labels(), [[first, 'fail']]);
    await press('s');
    assert.match(page.text(), /Skipped\. Answer 3 of/);
  });

  it('ends with how far the judge agrees, and with the answers on which it does not', async () => {
    while (keysIn(page).length > 0) await press(/velvet/.test(page.text()) ? 'f' : 'p');
    assert.match(page.title(), /^Judge: judged$/);
    assert.match(page.text(), /The judge simulated-[^ ]+ \(simulated\) agrees with your labels in \d+ of 1\d,/);
    const [opened] = await pagesOf(() => vscode.commands.executeCommand('whetstone.showJudge', skillPath));
    assert.equal(opened, undefined, 'the same page shows it again');
  });

  it('counts labels that came with the folder once the person says so there, and ends that again', async () => {
    const file = path.join(path.dirname(skillPath), 'evals', 'judge.json');
    const own = readFileSync(file, 'utf8');
    const made = z.looseObject({ labels: z.array(z.looseObject({ id: z.string() })) }).parse(JSON.parse(own));
    const others = made.labels.slice(0, 3).map((row, at) => ({ ...row, id: `${at}`.padStart(64, 'f') }));
    writeFileSync(file, JSON.stringify({ ...made, labels: [...made.labels, ...others] }));
    await vscode.commands.executeCommand('whetstone.showJudge', skillPath);
    assert.match(page.text(), /came with the folder and are not yours: 3\. They do not count\./);
    await pressed('Count the Labels of Others Too');
    assert.match(page.text(), /not yours and count, because you said so: 3\./);
    assert.doesNotMatch(page.html(), /Count the Labels of Others Too/);
    await pressed('Count My Labels Alone');
    assert.match(page.text(), /not yours: 3\. They do not count\./);
    writeFileSync(file, own);
  });

  it('has a row beneath the skill, with a warning under 80 %, that leads there', async () => {
    const known = aKnownSkill({});
    assert.ok(known.overview);
    const agreement = {
      labels: 14,
      agreed: 11,
      share: 11 / 14,
      interval: [0.524, 0.924],
      standing: 'low',
      always: { label: 'pass', times: 8 },
      answers: { all: 14, agreed: 11 },
    } as const;
    const judge = { judge: 'openai/gpt-5-mini', agreement, changed: 0, ofOthers: 0, notYours: 0, letIn: 0 };
    const rows = await rowsBeneath({ ...known, overview: { ...known.overview, judge } });
    const row = rows.find(({ id }) => id.startsWith('judge:'))?.row();
    assert.deepEqual(
      [row?.label, row?.description, row?.icon, row?.command?.command],
      ['Judge', 'agrees 11 of 14, 79 % (52–92 %)', 'warning', 'whetstone.showJudge'],
    );
    assert.equal(row?.says, 'Judge openai/gpt-5-mini: agrees 11 of 14, 79 % (52–92 %).');
  });

  async function press(key: string): Promise<void> {
    const given = linkOf(page, key);
    await vscode.commands.executeCommand('whetstone.labelAnswer', given);
  }

  /** A button of the report. */
  async function pressed(title: string): Promise<void> {
    const [, given = ''] =
      new RegExp(`href="command:whetstone\\.countLabels\\?([^"]*)">${title}<`).exec(page.html()) ?? [];
    const [first]: readonly unknown[] = JSON.parse(decodeURIComponent(given));
    await vscode.commands.executeCommand('whetstone.countLabels', first);
  }

  function labels(): readonly (readonly [string, string])[] {
    const file = path.join(path.dirname(skillPath), 'evals', 'judge.json');
    return Labels.parse(JSON.parse(readFileSync(file, 'utf8'))).labels.map(({ id, label }) => [id, label]);
  }
});

function keysIn(page: OpenedPage): readonly string[] {
  return [...page.html().matchAll(/data-key="(\w)"/g)].map(([, key = '']) => key);
}

/** What the button of a key hands to its command. */
function linkOf(page: OpenedPage, key: string): unknown {
  const [, given = ''] =
    new RegExp(`data-key="${key}"[^>]*href="command:whetstone\\.labelAnswer\\?([^"]*)"`).exec(page.html()) ?? [];
  const [first]: readonly unknown[] = JSON.parse(decodeURIComponent(given));
  return first;
}

function idIn(page: OpenedPage): string {
  return z.object({ id: z.string() }).parse(linkOf(page, 'p')).id;
}
