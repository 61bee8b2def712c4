import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { someFigures } from '../../builders/aReviewProposal.js';
import { few, inFull } from '../../builders/few.js';
import { stagedDecisions } from '../../builders/stageProposal.js';
import {
  closeAll,
  inProposal,
  onDisk,
  open,
  place,
  press,
  reviewOf,
  rowsOf,
  textOf,
  tidy,
  twoEdits,
} from './reviewWindow.js';
import { until } from '../until.js';

const { text, edits, whole } = twoEdits;

describe('a proposal in review', () => {
  afterEach(tidy);

  it('is a diff of the file and a writable proposal in our own language', async () => {
    const { candidate, skillPath, file } = await reviewOf({ name: 'diff', text, edits });
    assert.equal(candidate.scheme, 'whetstone-proposal');
    assert.equal(file.fsPath, skillPath);
    const document = await vscode.workspace.openTextDocument(candidate);
    assert.equal(document.languageId, 'whetstone-proposal');
    assert.equal(document.getText(), whole);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('whetstone-proposal'), true);
    const settings = vscode.workspace.getConfiguration('diffEditor', {
      uri: candidate,
      languageId: document.languageId,
    });
    assert.deepEqual([settings.get('renderSideBySide'), settings.get('codeLens')], [false, true]);
  });

  it('is read while VS Code puts a new text in the place of the old one, and where it was ended in between', async () => {
    const { candidate } = await reviewOf({ name: 'replaced', text, edits });
    const folder = path.join(storage(), 'reviews', candidate.authority);
    await rename(path.join(folder, 'candidate.md'), path.join(folder, 'candidate.md.new'));
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(candidate)).toString(), whole);
    await rename(path.join(folder, 'candidate.md.new'), path.join(folder, 'candidate.md'));
  });

  it('has a row of buttons for the whole and for each change', async () => {
    const { candidate } = await reviewOf({ name: 'rows', text, edits });
    assert.deepEqual(await rowsOf(candidate), [
      'Accept All | Reject All | Report | Improved from 42 % to 81 % on 12 held-out tasks',
      'Accept | Reject | Why | 1 of 2 · E1 · not measured singly',
      'Accept | Reject | Why | 2 of 2 · E2 · not measured singly',
    ]);
  });

  const beside: Edit = { op: 'append', content: 'Say the season.', rationale: 'One task asked for it.' };
  const apart: Edit = {
    op: 'replace',
    anchor: 'Use the local order.\n\nName the month.\n\nKeep the year.',
    content: 'Use ISO order.\n\nName the month.\n\nKeep the century.',
    rationale: 'One edit in two places.',
  };
  const titles = [
    { name: 'title-joined', edits: [...edits.slice(1), beside], says: 'title-joined: 2 proposed edits' },
    { name: 'title-apart', edits: [apart], says: 'title-apart: 1 proposed edit' },
    { name: 'title-one', edits: edits.slice(0, 1), says: 'title-one: 1 proposed edit' },
    { name: 'title-two', edits, says: 'title-two: 2 proposed edits' },
    { name: 'title-beside', edits: [...edits, beside], says: 'title-beside: 3 proposed edits' },
  ];
  for (const { name, edits: some, says } of few(titles)) {
    it(`is called “${says}”, as the tree counts`, async () => {
      await reviewOf({ name, text, edits: some });
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, says);
    });
  }

  it('offers one edit as one', async () => {
    const { file } = await reviewOf({ name: 'lens-one', text, edits: edits.slice(0, 1) });
    assert.match((await rowsOf(file)).join(), /Review 1 Proposed Edit /);
  });

  it('accepts one change as one step, saved, that one undo in the proposal takes back and one redo brings again', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'accept', text, edits });
    await press(candidate, 'Accept', /1 of 2/);
    const half = text.replace('Use the local order.', 'Use ISO order.');
    assert.equal(await onDisk(skillPath), half);
    assert.match((await rowsOf(candidate)).join('\n'), /1 of 1 · E2\b/);
    await inProposal('undo');
    await until(async () => (await onDisk(skillPath)) === text, 'the undone text is on disk');
    assert.match((await rowsOf(candidate)).join('\n'), /1 of 2 · E1\b/);
    await inProposal('redo');
    await until(async () => (await onDisk(skillPath)) === half, 'the redone text is on disk');
  });

  // Of a memory file it is in the short numbers.
  inFull('undoes from the file as well', async () => {
    const { candidate, skillPath, file } = await reviewOf({ name: 'undo-file', text, edits });
    await press(candidate, 'Accept', /2 of 2/);
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('undo');
    await until(async () => (await onDisk(skillPath)) === text, 'the undone text is on disk');
    assert.equal(await textOf(candidate), whole);
  });

  // In the short numbers: a rejection with its reason in a window, an acceptance that is taken back below.
  inFull('writes down what was accepted and what was rejected, and takes it back with an undo', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'decide', text, edits });
    await press(candidate, 'Accept', /1 of 2/);
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1']?.kind === 'accepted', 'E1 is accepted');
    await inProposal('undo');
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1'] === undefined, 'E1 is open again');
    await vscode.commands.executeCommand('whetstone.rejectHunk', { skillPath, edits: ['E2'], reason: 'too long' });
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E2']?.kind === 'rejected', 'E2 is rejected');
    assert.deepEqual((await stagedDecisions(place(), skillPath))?.['E2'], { kind: 'rejected', reason: 'too long' });
    assert.equal(await textOf(candidate), text.replace('Use the local order.', 'Use ISO order.'));
  });

  // In the short numbers: below by the command, and with Ctrl+Z in a window.
  it('puts the proposal away with the last decision, and stages it again when that is undone', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'last', text, edits });
    await vscode.commands.executeCommand('whetstone.acceptAllHunks', { candidate: candidate.toString() });
    assert.equal(await onDisk(skillPath), whole);
    await until(async () => (await stagedDecisions(place(), skillPath)) === undefined, 'the proposal is put away');
    await inProposal('undo');
    await until(async () => (await onDisk(skillPath)) === text, 'the undone text is on disk');
    await until(async () => (await stagedDecisions(place(), skillPath)) !== undefined, 'the proposal waits again');
    assert.equal((await rowsOf(candidate)).length, 3);
  });

  inFull('is undone whole in the very moment in which an accept was brought again, and waits again', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'undo-at-once', text, edits });
    await vscode.commands.executeCommand('whetstone.acceptAllHunks', { candidate: candidate.toString() });
    await until(async () => (await stagedDecisions(place(), skillPath)) === undefined, 'the proposal is put away');
    await inProposal('undo');
    await until(async () => (await onDisk(skillPath)) === text, 'the undone text is on disk');
    await inProposal('redo');
    await until(async () => (await onDisk(skillPath)) === whole, 'the redone text is on disk');
    await vscode.commands.executeCommand('whetstone.undo', skillPath);
    assert.equal(await onDisk(skillPath), text);
    await until(async () => (await stagedDecisions(place(), skillPath)) !== undefined, 'the proposal waits again');
    await until(async () => (await rowsOf(candidate)).length === 3, 'both edits are open');
  });

  inFull('takes back what was accepted last and keeps what was accepted before it', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'undo-last', text, edits });
    await press(candidate, 'Accept', /1 of 2/);
    const half = text.replace('Use the local order.', 'Use ISO order.');
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1']?.kind === 'accepted', 'E1 is accepted');
    await vscode.commands.executeCommand('whetstone.acceptAllHunks', { candidate: candidate.toString() });
    await until(async () => (await stagedDecisions(place(), skillPath)) === undefined, 'the proposal is put away');
    await vscode.commands.executeCommand('whetstone.undo', skillPath);
    assert.equal(await onDisk(skillPath), half);
    await until(async () => (await stagedDecisions(place(), skillPath)) !== undefined, 'the proposal waits again');
    await until(async () => /1 of 1 · E2\b/.test((await rowsOf(candidate)).join()), 'only E2 is open');
    assert.deepEqual(Object.keys((await stagedDecisions(place(), skillPath)) ?? {}), ['E1']);
    await vscode.commands.executeCommand('whetstone.undo', skillPath);
    assert.equal(await onDisk(skillPath), text);
  });

  // With what a revert makes of it, it is in the short numbers.
  inFull('leaves a file unsaved that was unsaved before', async () => {
    const { candidate, skillPath, file } = await reviewOf({ name: 'dirty', text, edits });
    const change = new vscode.WorkspaceEdit();
    change.insert(file, new vscode.Position(5, 0), 'Mine.\n');
    await vscode.workspace.applyEdit(change);
    await until(async () => (await textOf(candidate)).includes('Mine.'), 'the proposal follows');
    await press(candidate, 'Accept', /1 of 2/);
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk(skillPath), text);
    assert.match(document.getText(), /Mine\.[\s\S]*Use ISO order/);
    await document.save();
  });

  it('knows what the person wrote in the proposal, and takes it over', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'mine', text, edits });
    const change = new vscode.WorkspaceEdit();
    change.insert(candidate, new vscode.Position(9, 0), 'Write it by hand.\n');
    await vscode.workspace.applyEdit(change);
    assert.match((await rowsOf(candidate)).join('\n'), /2 of 3 · Written by you/);
    await press(candidate, 'Accept', /Written by you/);
    assert.match(await onDisk(skillPath), /Write it by hand\./);
  });

  // Of two neighbours it is in the short numbers.
  inFull('records an edit that the person changed before accepting as edited', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'edited', text, edits });
    const document = await vscode.workspace.openTextDocument(candidate);
    const change = new vscode.WorkspaceEdit();
    change.insert(candidate, document.positionAt(whole.indexOf('ISO order') + 3), ' 8601');
    await vscode.workspace.applyEdit(change);
    assert.match(
      (await rowsOf(candidate)).join('\n'),
      /Accept \| Reject \| Why \| 1 of 2 · E1 · edited by you · not measured as edited/,
    );
    await press(candidate, 'Accept', /edited by you/);
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1']?.kind === 'edited', 'E1 is edited');
  });

  // In the short numbers the row of the tree says it.
  inFull('says that the verdict is about all the edits, once one of them is rejected', async () => {
    const { candidate } = await reviewOf({ name: 'without-one', text, edits });
    await press(candidate, 'Reject', /1 of 2/);
    assert.match((await rowsOf(candidate)).join(), /81 % on 12 held-out tasks · with all 2 edits; 1 is rejected/);
  });

  it('follows what happens to the file on disk, and keeps the person’s words', async () => {
    const { candidate, skillPath, file } = await reviewOf({ name: 'follow', text, edits });
    await vscode.workspace.fs.writeFile(file, Buffer.from(text.replace('Name the month.', 'Name the month in full.')));
    await until(async () => (await textOf(candidate)).includes('in full'), 'the proposal follows');
    assert.equal((await rowsOf(candidate)).length, 3);
    await vscode.commands.executeCommand('whetstone.acceptAllHunks', { candidate: candidate.toString() });
    assert.equal(await onDisk(skillPath), whole.replace('Name the month.', 'Name the month in full.'));
  });

  it('moves a stale proposal onto the file of today, and leaves out what no longer fits', async () => {
    const now = text.replace('Use the local order.', 'Use my own order.').replace('# Dates', '# Dates and times');
    const { candidate } = await reviewOf({ name: 'stale', text, edits, now });
    assert.equal(await textOf(candidate), `${now}\nSay the time zone.\n`);
    assert.match((await rowsOf(candidate)).join('\n'), /E1 no longer fits: What Changed.*Not measured on this text/);
  });

  it('only shows what the gate rejected', async () => {
    const verdict = { kind: 'rejected', reason: 'Not shown to be better.', figures: someFigures() } as const;
    const { candidate, skillPath } = await reviewOf({ name: 'rejected', text, edits, proposal: { verdict } });
    const rows = (await rowsOf(candidate)).join('\n');
    assert.match(rows, /Only shown · No improvement found \(42 % → 81 % on 12 held-out tasks\)/);
    assert.doesNotMatch(rows, /Accept|Reject/);
    void vscode.commands.executeCommand('whetstone.acceptAllHunks', { candidate: candidate.toString() });
    assert.equal(await onDisk(skillPath), text);
  });

  it('offers quick fixes in the file', async () => {
    const { file, skillPath } = await reviewOf({ name: 'fixes', text, edits });
    await vscode.window.showTextDocument(file);
    const line = text.slice(0, text.indexOf('Use the local')).split('\n').length - 1;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      file,
      new vscode.Range(line, 0, line, 3),
      vscode.CodeActionKind.QuickFix.value,
    );
    const accept = actions.find(({ title }) => title.startsWith('Accept Proposed Edit: E1'));
    assert.ok(accept?.command !== undefined, actions.map(({ title }) => title).join());
    await vscode.commands.executeCommand(accept.command.command, ...(accept.command.arguments ?? []));
    assert.equal(await onDisk(skillPath), text.replace('Use the local order.', 'Use ISO order.'));
  });

  // With its keys it is in the short numbers, in a window.
  inFull('acts on the change at the cursor', async () => {
    const { candidate, skillPath } = await reviewOf({ name: 'cursor', text, edits });
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), candidate.toString());
    const line = whole.slice(0, whole.indexOf('Say the time')).split('\n').length - 1;
    if (editor !== undefined) editor.selection = new vscode.Selection(line, 2, line, 2);
    await vscode.commands.executeCommand('whetstone.acceptHunk');
    assert.equal(await onDisk(skillPath), `${text}\nSay the time zone.\n`);
  });

  inFull('says that part of it is not measured, and goes on where it was left when it is opened again', async () => {
    const { candidate, skillPath, file } = await reviewOf({ name: 'again', text, edits });
    await press(candidate, 'Accept', /1 of 2/);
    await until(
      async () => /Not measured: 1 of 2 edits is in the file/.test((await rowsOf(candidate)).join()),
      'it says so',
    );
    assert.match((await rowsOf(candidate)).join(), /Measure What I Accepted/);
    await until(async () => /Not measured: 1 of 2/.test((await rowsOf(file)).join()), 'the file says so too');
    await closeAll();
    const again = await open(skillPath);
    assert.equal(again.candidate.toString(), candidate.toString());
    assert.match((await rowsOf(candidate)).join('\n'), /1 of 1 · E2\b/);
  });

  inFull('shows all proposals in one list of diffs, each in our language', async () => {
    const { skillPath } = await reviewOf({ name: 'list', text, edits });
    await closeAll();
    await vscode.commands.executeCommand('whetstone.reviewAll');
    const listed = await until(
      () =>
        vscode.workspace.textDocuments.find(
          ({ uri }) => uri.scheme === 'whetstone-proposal' && uri.path === vscode.Uri.file(skillPath).path,
        ),
      'the proposal is listed under the name of its file',
    );
    await until(() => listed.isClosed || listed.languageId === 'whetstone-proposal', 'it has our language');
  });
});

describe('the text of a review', () => {
  afterEach(tidy);
  const inChinese = text.replace('Name the month.', '写出月份。');
  const kinds = [
    ['CRLF, a byte order mark, Chinese, no final line break', `\uFEFF${inChinese.trimEnd().replaceAll('\n', '\r\n')}`],
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['no final line break', text.trimEnd()],
    ['a byte order mark', `\uFEFF${text}`],
    ['Chinese', inChinese],
  ] as const;
  for (const [name, base] of few(kinds)) {
    it(`keeps its bytes through accept and undo: ${name}`, async () => {
      const { candidate, skillPath } = await reviewOf({
        name: `kind-${name.replaceAll(/\W+/g, '-')}`,
        text: base,
        edits,
      });
      await press(candidate, 'Accept', /1 of 2/);
      assert.equal(await onDisk(skillPath), base.replace('Use the local order.', 'Use ISO order.'));
      await press(candidate, 'Accept', /1 of 1/);
      const eol = base.includes('\r') ? '\r\n' : '\n';
      const end = base.endsWith('\n') ? eol : '';
      const start = base.replace('Use the local order.', 'Use ISO order.').trimEnd();
      assert.equal(await onDisk(skillPath), `${start}${eol}${eol}Say the time zone.${end}`);
      await inProposal('undo');
      await inProposal('undo');
      await until(async () => (await onDisk(skillPath)) === base, 'the bytes from before are on disk');
    });
  }
});

/** Where this window keeps what the extension stores for the person. */
function storage(): string {
  return path.join(path.dirname(place().state), 'user-data/User/globalStorage/whetstone.whetstone');
}
