import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('a window that the person does not trust', () => {
  it('is in restricted mode, and the extension works in it', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    assert.equal(vscode.extensions.getExtension('whetstone.whetstone')?.isActive, true);
  });
});
