import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { say } from '../say.js';

describe('a window without a folder', () => {
  it('leaves the extension asleep until it is needed, and reports what waking it costs', async () => {
    const empty = await wake('whetstone-tests.empty-extension');
    const ours = await wake('whetstone.whetstone');
    say(
      `      activate(): ${ours.toFixed(1)} ms, an empty extension ${empty.toFixed(1)} ms: ${(ours / empty).toFixed(1)} times`,
    );
  });
});

async function wake(id: string): Promise<number> {
  const extension = vscode.extensions.getExtension(id);
  assert.ok(extension, `VS Code does not know ${id}`);
  assert.equal(extension.isActive, false, `${id} is awake already`);
  const started = performance.now();
  await extension.activate();
  return performance.now() - started;
}
