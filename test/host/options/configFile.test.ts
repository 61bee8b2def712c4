import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../until.js';

describe('.whetstone/config.yaml in the editor', () => {
  let uri = vscode.Uri.file('/');
  before(async () => {
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    mkdirSync(path.join(folder, '.whetstone'), { recursive: true });
    uri = vscode.Uri.file(path.join(folder, '.whetstone', 'config.yaml'));
    writeFileSync(uri.fsPath, 'train:\n  epoch: 2\n  \ngate:\n  rule: confident\n');
  });
  after(() => rmSync(uri.fsPath, { force: true }));

  it('marks an unknown option with the nearest one, and is quiet once it is right', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const problems = (): vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Whetstone');
    const [problem] = await until(() => (problems().length > 0 ? problems() : undefined), 'the problem');
    assert.match(problem?.message ?? '', /train\.epochs/);
    assert.equal(problem?.range.start.line, 1);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(1, 2, 1, 7), 'epochs');
    await vscode.workspace.applyEdit(edit);
    await until(() => problems().length === 0, 'the problem goes away');

    const below = new vscode.WorkspaceEdit();
    below.insert(uri, document.lineAt(document.lineCount - 1).range.end, '_base_: gone.yaml\n');
    await vscode.workspace.applyEdit(below);
    const [broken] = await until(() => (problems().length > 0 ? problems() : undefined), 'the mark at _base_');
    assert.match(broken?.message ?? '', /_base_ names “gone\.yaml”, and there is no such file/);
    assert.equal(broken?.range.start.line, 5);
  });

  it('completes options and their values', async () => {
    assert.ok((await labelsAt(uri, 2, 2)).includes('batchSize'));
    assert.ok((await labelsAt(uri, 4, 8)).includes('strict'));
  });

  it('explains the option under the pointer', async () => {
    const at = new vscode.Position(4, 4);
    const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, at);
    const text = found.flatMap(({ contents }) =>
      contents.map((each) => (typeof each === 'string' ? each : each.value)),
    );
    assert.match(text.join('\n'), /gate\.rule[\s\S]*Usually `confident`/);
  });
});

async function labelsAt(uri: vscode.Uri, line: number, character: number): Promise<readonly string[]> {
  const asked = 'vscode.executeCompletionItemProvider';
  const at = new vscode.Position(line, character);
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(asked, uri, at);
  return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}
