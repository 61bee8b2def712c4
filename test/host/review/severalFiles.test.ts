import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { ownReceipts, type Receipt } from '../../../src/storage/adoption/receipts.js';
import { aProposedEdit } from '../../builders/aReviewProposal.js';
import { inFull } from '../../builders/few.js';
import { stagedDecisions, stagedStore, stageProposal } from '../../builders/stageProposal.js';
import { answering } from '../answering.js';
import { chooseSimulated } from '../tasks/taskWindow.js';
import { until } from '../until.js';
import {
  closeAll,
  inProposal,
  onDisk,
  open,
  place,
  press,
  rowsOf,
  writeTasks,
  type ReviewWindow,
} from './reviewWindow.js';

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

  inFull('counts its edits over all of them, says where the next one lies, and goes there', async () => {
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
    const everywhere = (): Promise<void> => press(window.months, 'Accept All in 2 Files', /Reject All in This File/);
    const refused = await answering({ warnings: [undefined] }, everywhere);
    assert.match(refused.warnings.join('\n'), /^Accept 3 edits in 2 files\?$/m);
    assert.match(refused.warningDetails.join('\n'), /^SKILL\.md: E1\nreferences\/months\.md: E2, E3$/m);
    assert.deepEqual(await texts(window), [text, months]);
    const said = await answering({ warnings: ['Accept All'], buttons: ['Undo'] }, async (asked) => {
      await acceptAll(window.months);
      await until(() => asked.messages.some((each) => /are in .*months\.md/.test(each)), 'what was written is told');
      await hold(window, [text, months], 'Undo put both files back');
    });
    assert.deepEqual(
      (await receipts(window.skillPath, 2)).map(({ action, undoes, documents }) => [action, undoes, documents.length]),
      [
        ['undo', [1], 2],
        ['adopt', [], 2],
      ],
    );
    await until(
      async () => (await stagedDecisions(place(), window.skillPath)) !== undefined,
      'the proposal waits again',
    );
    for (const uri of [window.candidate, window.months])
      await until(
        async () => /Accept All in This File/.test((await rowsOf(uri)).join('\n')),
        `${uri.path} can be decided again`,
      );
    assert.match(said.messages.join('\n'), /1 edit is in .*SKILL\.md\. 2 edits are in .*months\.md\./);
  });

  it('is one step over all files, which one undo in a proposal takes back and one redo brings again', async () => {
    const window = await shown('several-steps');
    const contexts = await contextsWhile(async (canDecide) => {
      await answering({ warnings: ['Accept All'] }, () => acceptAll(window.candidate));
      await hold(window, all, 'both files hold what was accepted');
      await until(async () => (await stagedDecisions(place(), window.skillPath)) === undefined, 'it is put away');
      for (const uri of [window.candidate, window.months]) {
        await until(
          async () => /Review finished: all accepted/.test((await rowsOf(uri)).join('\n')),
          `${uri.path} says so`,
        );
        assert.doesNotMatch((await rowsOf(uri)).join('\n'), /left in|Accept All/);
      }
      await until(() => canDecide() === false, 'nothing can be decided any more');
      await inProposal('undo');
      await hold(window, [text, months], 'one undo took back both');
      await until(() => canDecide() === true, 'it can be decided again');
    });
    assert.ok(contexts.length > 1);
    const [undone] = await receipts(window.skillPath, 2);
    assert.deepEqual([undone?.action, undone?.undoes, undone?.documents.length], ['undo', [1], 2]);
    await until(
      async () => (await stagedDecisions(place(), window.skillPath)) !== undefined,
      'the proposal waits again',
    );
    await inProposal('redo');
    await hold(window, all, 'one redo brought both again');
    assert.deepEqual((await receipts(window.skillPath, 3))[0]?.edits, ['E1', 'E2', 'E3']);
    await vscode.commands.executeCommand('whetstone.undo', window.skillPath);
    assert.deepEqual(await texts(window), [text, months]);
  });

  inFull('is restored from the history over all files, and that is undone over all of them', async () => {
    const window = await shown('several-restored');
    await answering({ warnings: ['Accept All'] }, () => acceptAll(window.candidate));
    await receipts(window.skillPath, 1);
    await vscode.commands.executeCommand('whetstone.undo', window.skillPath);
    assert.deepEqual(await texts(window), [text, months]);
    await closeAll();
    await vscode.window.showTextDocument(vscode.Uri.file(window.monthsPath));
    const restore = { skillPath: window.skillPath, version: '1' };
    await answering({ warnings: [undefined] }, () =>
      vscode.commands.executeCommand('whetstone.restoreVersion', restore),
    );
    assert.deepEqual(await texts(window), [text, months], 'nothing is written before the person says so');
    const { messages } = await answering({ warnings: ['Restore'] }, () =>
      vscode.commands.executeCommand('whetstone.restoreVersion', restore),
    );
    assert.match(messages.join('\n'), /Version 1 is restored/);
    assert.deepEqual(await texts(window), all);
    await until(() => vscode.window.activeTextEditor?.document.getText() === all[1], 'the open editor shows it');
    const [restored] = await receipts(window.skillPath, 3);
    assert.deepEqual([restored?.action, restored?.documents.length], ['restore', 2]);
    await vscode.commands.executeCommand('whetstone.undo', window.skillPath);
    assert.deepEqual(await texts(window), [text, months]);
  });

  inFull('is rejected whole, and decided in one file by the buttons of that file alone', async () => {
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

  inFull('offers to measure it here in every file, once one of them changed since the run', async () => {
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

/** Tells of the menus whether the proposal in front can be decided; gives every word of it. */
async function contextsWhile(
  work: (canDecide: () => boolean | undefined) => Promise<void>,
): Promise<readonly boolean[]> {
  const seen: boolean[] = [];
  const execute = vscode.commands.executeCommand;
  const noting: typeof execute = (command, ...rest) => {
    if (command === 'setContext' && rest[0] === 'whetstone.canDecide') seen.push(rest[1] === true);
    return execute(command, ...rest);
  };
  Object.assign(vscode.commands, { executeCommand: noting });
  try {
    await work(() => seen.at(-1));
    return seen;
  } finally {
    Object.assign(vscode.commands, { executeCommand: execute });
  }
}

async function hold(window: SeveralFiles, wanted: readonly string[], what: string): Promise<void> {
  await until(async () => (await texts(window)).join('\0') === wanted.join('\0'), what);
}

/** Once there are so many, newest first. */
async function receipts(skillPath: string, count: number): Promise<readonly Receipt[]> {
  const store = await stagedStore(place(), skillPath);
  return until(async () => {
    const found = await ownReceipts(store);
    return found.length >= count ? found : undefined;
  }, `there are ${count} receipts`);
}

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
