import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { aSkill, chooseSimulated } from '../tasks/taskWindow.js';
import { until } from '../until.js';

describe('the notes of the optimizer', function notes() {
  this.timeout(60_000);
  const key = `sk-proj-${'a1B2c3D4e5F6g7H8'.repeat(3)}`;
  let skillPath = '';

  before(async () => {
    await chooseSimulated();
    skillPath = aSkill('noted', {});
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('are a document that says so where there are none, and are stored when it is saved', async () => {
    const asked = await answering({}, show);
    assert.match(asked.messages[0] ?? '', /no notes on this skill yet/u);
    assert.match(inFront().uri.path, /^\/noted: notes of the optimizer\.md$/u);
    assert.equal(inFront().getText(), '');
    await write('- Prefer short rules.\n');
    assert.equal(await inFront().save(), true);
    const again = await answering({}, show);
    assert.deepEqual(again.messages, []);
    assert.equal(inFront().getText(), '- Prefer short rules.\n');
  });

  it('are stored without secrets, and shown as they are stored', async () => {
    await write(`- The key is ${key}.\n`);
    await inFront().save();
    await until(() => (inFront().getText().includes(key) ? undefined : true), 'the notes as they are stored');
    assert.match(inFront().getText(), /^- The key is /u);
    assert.equal(inFront().isDirty, false);
  });

  it('stay as they were where they are too long, and stand unsaved', async () => {
    const stored = inFront().getText();
    await write('x'.repeat(4_001));
    const saved = await inFront()
      .save()
      .then(
        (done) => done,
        () => false,
      );
    assert.equal(saved, false);
    assert.equal(inFront().isDirty, true);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => (inFront().getText() === stored ? true : undefined), 'the stored notes');
  });

  it('are forgotten after a yes alone, in the document too; the skill stays', async () => {
    const text = readFileSync(skillPath, 'utf8');
    const refused = await answering({ warnings: [undefined], modals: [undefined] }, reset);
    assert.match(
      refused.warnings.join(' ') + refused.messages.join(' '),
      /Forget the notes of the optimizer on noted\?/u,
    );
    assert.notEqual(inFront().getText(), '');
    await answering({ warnings: ['Forget'], modals: ['Forget'] }, reset);
    await until(() => (inFront().getText() === '' ? true : undefined), 'an empty document');
    const nothing = await answering({}, reset);
    assert.match(nothing.messages[0] ?? '', /has no notes on this skill/u);
    assert.equal(readFileSync(skillPath, 'utf8'), text);
  });

  function show(): Thenable<unknown> {
    return vscode.commands.executeCommand('whetstone.showNotes', skillPath);
  }
});

/** Called from the notes themselves: they say which skill is meant. */
function reset(): Thenable<unknown> {
  return vscode.commands.executeCommand('whetstone.resetNotes');
}

function inFront(): vscode.TextDocument {
  return vscode.window.activeTextEditor?.document ?? assert.fail('no document is in front');
}

async function write(text: string): Promise<void> {
  const document = inFront();
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, all, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}
