import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';

describe('the lint of skills', () => {
  it('says what the specification wants and mends it with a quick fix', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    const uri = vscode.Uri.joinPath(folder.uri, '.claude/skills/commit-messages/SKILL.md');
    await writeFile(uri.fsPath, '---\nname: Commit_Messages\ndescription: Writes commit messages.\n---\n\nBe short.\n');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const problem = await eventually(() =>
      vscode.languages.getDiagnostics(uri).find(({ source }) => source === 'Whetstone'),
    );
    assert.equal(problem.code, 'name-format');
    const edit = await eventually(() => fixFor(uri, problem.range));
    await vscode.workspace.applyEdit(edit);
    assert.match(document.getText(), /name: commit-messages/);
    await eventually(() =>
      vscode.languages.getDiagnostics(uri).every(({ source }) => source !== 'Whetstone') ? true : undefined,
    );
  });
});

/** The editor cancels the question when the document moves on; it is then asked again. */
async function fixFor(uri: vscode.Uri, range: vscode.Range): Promise<vscode.WorkspaceEdit | undefined> {
  const asked = vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range);
  const actions = await Promise.resolve(asked).catch(() => []);
  return actions.find(({ title }) => title.includes('commit-messages'))?.edit;
}

async function eventually<Value>(look: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('in vain');
}
