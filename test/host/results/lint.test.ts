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
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      problem.range,
    );
    const fix = actions.find(({ title }) => title.includes('commit-messages'));
    assert.ok(fix?.edit, actions.map(({ title }) => title).join(', '));
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /name: commit-messages/);
    await eventually(() =>
      vscode.languages.getDiagnostics(uri).every(({ source }) => source !== 'Whetstone') ? true : undefined,
    );
  });
});

async function eventually<Value>(look: () => Value | undefined): Promise<Value> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('in vain');
}
