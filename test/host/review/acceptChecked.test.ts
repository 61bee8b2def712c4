import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { onDisk, reviewOf, tidy } from './reviewWindow.js';

const text = '---\nname: dates\n---\n\n# Dates\n\nUse the local order.\n\nName the month.\n';

describe('edits that are checked in the tree', () => {
  afterEach(tidy);

  it('say once they are accepted in which file they are, with the way back', async () => {
    const { skillPath } = await reviewOf({
      name: 'checked',
      text,
      edits: [
        { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: 'One.' },
        { op: 'append', content: 'Say the time zone.', rationale: 'Two.' },
      ],
    });
    const accepted = await answering({ buttons: ['Undo'] }, async () => {
      await vscode.commands.executeCommand('whetstone.acceptHunk', { skillPath, edits: ['E1', 'E2'] });
      await until(async () => (await onDisk(skillPath)) === text, 'Undo put the file back');
    });
    assert.match(accepted.messages.join('\n'), /^2 edits are in .*SKILL\.md\.$/m);
  });

  it('are told apart from one that the proposal does not have', async () => {
    const { skillPath } = await reviewOf({
      name: 'no-such-edit',
      text,
      edits: [{ op: 'append', content: 'Say the time zone.', rationale: 'One.' }],
    });
    const { errors } = await answering({}, () =>
      vscode.commands.executeCommand('whetstone.acceptHunk', { skillPath, editId: 'E99' }),
    );
    assert.match(errors.join('\n'), /has no edit E99/);
    assert.equal(await onDisk(skillPath), text);
  });
});
