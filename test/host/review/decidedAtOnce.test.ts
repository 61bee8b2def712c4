import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reviewOf, rowsOf, textOf, tidy } from './reviewWindow.js';
import type { ReviewWindow } from './reviewWindow.js';

const text = '---\nname: dates\n---\n\n# Rules\n\nRule 1.\n\nRule 2.\n\nRule 3.\n\nRule 4.\n';

/** The proposal follows the file a moment later: whoever decides in that moment is not told to look again. */
describe('an edit that is decided at once after the person wrote beside it in the file', () => {
  afterEach(tidy);

  it('is accepted, and their words stay', async () => {
    const { file, skillPath } = await twoDeletions();
    await writeAbove(file, 'Rule 2.');
    await vscode.commands.executeCommand('whetstone.acceptHunk', { skillPath, edits: ['E1'] });
    assert.equal(await textOf(file), text.replace('Rule 2.\n\n', 'Own words.\n'));
  });

  it('is rejected, also while another one is accepted', async () => {
    const { candidate, file, skillPath } = await twoDeletions();
    await writeAbove(file, 'Rule 4.');
    await Promise.all([
      vscode.commands.executeCommand('whetstone.acceptHunk', { skillPath, edits: ['E1'] }),
      vscode.commands.executeCommand('whetstone.rejectHunk', { skillPath, edits: ['E2'], reason: undefined }),
    ]);
    assert.doesNotMatch((await rowsOf(candidate)).join('\n'), /\bE[12]\b/);
    assert.match(await textOf(candidate), /Rule 3\.\n\nOwn words\.\nRule 4\./);
  });
});

async function twoDeletions(): Promise<ReviewWindow> {
  return reviewOf({
    name: 'at-once',
    text,
    edits: [
      { op: 'delete', anchor: 'Rule 2.', rationale: 'One.' },
      { op: 'delete', anchor: 'Rule 4.', rationale: 'Two.' },
    ],
  });
}

async function writeAbove(file: vscode.Uri, line: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file);
  const change = new vscode.WorkspaceEdit();
  change.insert(file, document.positionAt(document.getText().indexOf(line)), 'Own words.\n');
  await vscode.workspace.applyEdit(change);
}
