import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answering.js';

describe('a window that the person does not trust', () => {
  it('is in restricted mode, and the extension works in it', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    assert.equal(vscode.extensions.getExtension('whetstone.whetstone')?.isActive, true);
  });

  it('reads no session of the person’s home, and asks about none', async () => {
    for (const command of ['chooseSessions', 'showUsage', 'showSessions', 'mineSessions']) {
      const asked = await answering({}, () => vscode.commands.executeCommand(`whetstone.${command}`));
      assert.match(asked.errors.join(' '), /not trusted/iu, command);
      assert.deepEqual([asked.menus, asked.warnings], [[], []], command);
    }
  });
});
