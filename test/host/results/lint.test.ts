import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { until } from '../until.js';

let lastAnswer = 'none';

describe('the lint of skills', () => {
  it('says what the specification wants and mends it with a quick fix', async function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    const uri = vscode.Uri.joinPath(folder.uri, '.claude/skills/commit-messages/SKILL.md');
    await writeFile(uri.fsPath, '---\nname: Commit_Messages\ndescription: Writes commit messages.\n---\n\nBe short.\n');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    // VS Code of newer versions says the same of its own accord; then ours keeps quiet, and only the fix is ours.
    const aboutName = (): vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ message }) => /\bname\b/i.test(message));
    const [problem] = await until(() => (aboutName().length > 0 ? aboutName() : undefined), 'the problem');
    assert.ok(problem);
    const edit = await until(
      () => fixFor(uri, problem.range),
      () => `the fix; the last answer: ${lastAnswer}`,
    );
    const speakers = (): number => new Set(aboutName().map(({ source }) => source === 'Whetstone')).size;
    await until(
      () => speakers() === 1,
      () => `said by one alone: ${JSON.stringify(aboutName())}`,
    );
    await vscode.workspace.applyEdit(edit);
    assert.match(document.getText(), /name: commit-messages/);
    await until(
      () => vscode.languages.getDiagnostics(uri).every(({ source }) => source !== 'Whetstone'),
      'the problem goes away',
    );
  });

  it('shows characters that nobody sees, with their line and their names', async function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, '.claude/skills/commit-messages/SKILL.md');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, document.lineAt(document.lineCount - 1).range.end, 'Be\u{e0073}\u200b kind.\n');
    await vscode.workspace.applyEdit(edit);
    const found = (): vscode.Diagnostic | undefined =>
      vscode.languages.getDiagnostics(uri).find(({ code }) => code === 'invisible-text');
    const problem = await until(found, 'the problem');
    assert.match(problem.message, /^Line 7 holds U\+E0073, U\+200B, which nobody sees/);
    assert.equal(problem.range.start.line, 6);
  });
});

/** The editor cancels the question when the document moves on, and other providers may be slow: it is asked again. */
async function fixFor(uri: vscode.Uri, range: vscode.Range): Promise<vscode.WorkspaceEdit | undefined> {
  const asked = vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range);
  const late = wait(2000).then((): vscode.CodeAction[] => []);
  const actions = await Promise.race([asked, late]).catch((error: unknown) => {
    lastAnswer = String(error);
    return [];
  });
  if (actions.length > 0) lastAnswer = actions.map(({ title }) => title).join(', ');
  return actions.find(({ title }) => title.includes('commit-messages'))?.edit;
}
