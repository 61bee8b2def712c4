import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in a real VS Code', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension('whetstone.whetstone');
    assert.ok(extension, 'VS Code does not know whetstone.whetstone');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('keeps its state in a folder of the test, not of the person', () => {
    assert.match(process.env['WHETSTONE_HOME'] ?? '', /whetstone-host-/);
  });
});
