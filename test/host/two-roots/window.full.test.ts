import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('a window with two folders', () => {
  it('has both of them open under their own names', () => {
    const names = vscode.workspace.workspaceFolders?.map((folder) => folder.name);
    assert.deepEqual(names, ['Kitchen', 'Garden']);
  });
});
