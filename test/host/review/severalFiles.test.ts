import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { aProposedEdit } from '../../builders/aReviewProposal.js';
import { inFull } from '../../builders/few.js';
import { stagedDecisions, stageProposal } from '../../builders/stageProposal.js';
import { answering } from '../answering.js';
import { chooseSimulated } from '../tasks/taskWindow.js';
import { until } from '../until.js';
import { closeAll, onDisk, open, place, press, rowsOf, writeTasks, type ReviewWindow } from './reviewWindow.js';

const text = '---\nname: several\ndescription: Writes dates.\n---\n\n# Dates\n\nSee references/months.md.\n';
const months = '# Months\n\nWrite the month as a number.\n\nNever leave the year out.\n\nBe brief.\n';
const skillEdit: Edit = { op: 'append', content: 'Say the time zone.', rationale: 'Two tasks failed without it.' };
const monthEdits = [
  aProposedEdit(inMonths('Write the month as a number.', 'Write the month as a word.'), { id: 'E2' }),
  aProposedEdit(inMonths('Be brief.', 'Use one line.'), { id: 'E3' }),
];
const all = [
  `${text}\nSay the time zone.\n`,
  months.replace('a number', 'a word').replace('Be brief', 'Use one line'),
] as const;

interface SeveralFiles extends ReviewWindow {
  readonly monthsPath: string;
  /** The proposal for that file. */
  readonly months: vscode.Uri;
}

describe('a proposal that changes several files', () => {
  afterEach(closeAll);

  it('counts its edits over all of them, says where the next one lies, and goes there', async () => {
    const window = await shown('several-count');
    const [skillRows, monthRows] = await Promise.all([rowsOf(window.candidate), rowsOf(window.months)]);
    assert.match(skillRows.join('\n'), /Why \| 1 of 3 · E1 .*\| Next in references\/months\.md$/m);
    assert.match(monthRows.join('\n'), /Why \| 2 of 3 · E2 [^|]*$/m);
    assert.match(monthRows.join('\n'), /Why \| 3 of 3 · E3 .*\| Next in SKILL\.md$/m);
    await press(window.candidate, 'Next in references/months.md', /· E1\b/);
    await inFront(window.months, '2 of 3');
    for (const [command, uri, what] of [
      ['nextEdit', window.months, '3 of 3'],
      ['nextEdit', window.candidate, 'the first again'],
      ['previousEdit', window.months, 'the last again'],
    ] as const) {
      await vscode.commands.executeCommand(`whetstone.${command}`);
      await inFront(uri, what);
    }
  });

  it('has a diff of its own for each file, where a row of the tree finds its edit and every reason opens', async () => {
    const window = await shown('several-why');
    const { errors } = await answering({}, async () => {
      await press(window.candidate, 'Why', /· E1\b/);
      await press(window.months, 'Why', /· E2\b/);
      await press(window.months, 'Why', /· E3\b/);
      await vscode.commands.executeCommand('whetstone.review', window.skillPath, 'E3');
    });
    assert.deepEqual(errors, []);
    await inFront(window.months, 'the file of E3');
    const line = all[1].split('\n').indexOf('Use one line.');
    await until(() => vscode.window.activeTextEditor?.selection.active.line === line, 'the cursor is at E3');
  });

  it('is accepted whole after a question that names the files, and taken back over all of them', async () => {
    const window = await shown('several-accepted');
    const refused = await answering({ warnings: [undefined] }, () => acceptAll(window.months));
    assert.match(refused.warnings.join('\n'), /^Accept 3 edits in 2 files\?$/m);
    assert.match(refused.warningDetails.join('\n'), /^SKILL\.md: E1\nreferences\/months\.md: E2, E3$/m);
    assert.deepEqual(await texts(window), [text, months]);
    const said = await answering({ warnings: ['Accept All'], buttons: ['Undo'] }, async (asked) => {
      await acceptAll(window.months);
      await until(() => asked.messages.some((each) => /are in .*months\.md/.test(each)), 'what was written is told');
      await until(async () => (await texts(window)).join() === [text, months].join(), 'Undo put both files back');
    });
    assert.match(said.messages.join('\n'), /1 edit is in .*SKILL\.md\. 2 edits are in .*months\.md\./);
  });

  it('is rejected whole, and decided in one file by the buttons of that file alone', async () => {
    const window = await shown('several-rejected');
    await press(window.months, 'Accept All in This File', /Reject All in This File/);
    assert.deepEqual(await texts(window), [text, all[1]]);
    await until(
      async () => /Decided in this file: 1 edit is left in SKILL\.md/.test((await rowsOf(window.months)).join('\n')),
      'the other file is named',
    );
    assert.match((await rowsOf(window.months)).join('\n'), /Measure What I Accepted \|/);
    const { skillPath } = window;
    await vscode.commands.executeCommand('whetstone.rejectAllHunks', { skillPath, reason: 'wrong' });
    await until(async () => (await stagedDecisions(place(), skillPath)) === undefined, 'the proposal is put away');
    assert.deepEqual(await texts(window), [text, all[1]]);
  });

  it('offers to measure it here in every file, once one of them changed since the run', async () => {
    const window = await shown('several-stale', months.replace('# Months', '# The months'));
    for (const uri of [window.candidate, window.months]) {
      await until(
        async () => /Measure It Here.*Not measured on this text/.test((await rowsOf(uri)).join('\n')),
        `${uri.path} offers it`,
      );
    }
  });

  inFull('is measured with all its files, and then says so in each', async function () {
    this.timeout(120_000);
    await chooseSimulated();
    const window = await shown('several-measured', months.replace('# Months', '# The months'));
    writeTasks(window.skillPath, 'zone');
    await answering({ modals: ['Measure'] }, () =>
      press(window.months, 'Measure It Here', /Not measured on this text/),
    );
    for (const uri of [window.candidate, window.months]) {
      await until(
        async () => !/Measure It Here|Not measured on this text/.test((await rowsOf(uri)).join('\n')),
        `${uri.path} has a verdict`,
      );
    }
  });
});

function inMonths(anchor: string, content: string): Edit {
  return { op: 'replace', file: 'references/months.md', anchor, content, rationale: 'Three tasks wanted it.' };
}

/** Both diffs open, SKILL.md in front; `now` is what the other file holds by then. */
async function shown(name: string, now?: string): Promise<SeveralFiles> {
  const file = { path: 'references/months.md', text: months, edits: monthEdits };
  const skillPath = await stageProposal(place(), { name, text, edits: [skillEdit], file });
  const monthsPath = path.join(path.dirname(skillPath), file.path);
  if (now !== undefined) writeFileSync(monthsPath, now);
  const window = await open(skillPath);
  const input = await until(
    () => diffs().find(({ original }) => original.fsPath === monthsPath),
    'the other diff is there',
  );
  return { ...window, monthsPath, months: input.modified };
}

function diffs(): readonly vscode.TabInputTextDiff[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) => (input instanceof vscode.TabInputTextDiff ? [input] : []));
}

async function inFront(uri: vscode.Uri, what: string): Promise<void> {
  await until(() => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString(), what);
}

/** As the button in the title of an editor calls it. */
async function acceptAll(candidate: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('whetstone.acceptAllHunks', candidate);
}

async function texts({ skillPath, monthsPath }: SeveralFiles): Promise<readonly string[]> {
  return Promise.all([onDisk(skillPath), onDisk(monthsPath)]);
}
