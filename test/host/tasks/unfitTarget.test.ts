import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { aSkill, chooseSimulated } from './taskWindow.js';

/** A chat model cannot work on files: that is said before a key, a login, a connection or a question. */
describe('tasks for an agent with a chat model as the target', () => {
  after(chooseSimulated);

  it('are refused by every command that would attempt them, with the programs that can', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `t${index}`);
    const skillPath = aSkill('unfit', {
      'evals/evals.json': { evals: ids.map((id, index) => ({ id, prompt: `Change “${index}” to “9” in \`a.txt\`.` })) },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: Object.fromEntries(
          ids.map((id) => [
            id,
            {
              environment: 'agent',
              agent: { fixture: 'evals/fixtures/shop' },
              checks: [{ check: 'file_changed', path: 'a.txt' }],
            },
          ]),
        ),
      },
      'evals/fixtures/shop/a.txt': '0 1 2 3 4 5 6 7',
    });
    await vscode.workspace
      .getConfiguration()
      .update('whetstone.model.target', 'openai/gpt-5-mini', vscode.ConfigurationTarget.Global);
    for (const [command, given] of [
      ['whetstone.optimize', skillPath],
      ['whetstone.tryTask', { skillPath, taskId: 't1' }],
      ['whetstone.updateRecord', skillPath],
    ] as const) {
      const asked = await answering({}, () => vscode.commands.executeCommand(command, given));
      assert.match(
        asked.errors.join('\n'),
        /attempted by an agent program, and the target openai\/gpt-5-mini is none[^]*claude-code, codex, copilot-cli, gemini-cli, opencode\), or the simulated model to try it/,
        command,
      );
      assert.deepEqual(asked.errorButtons, ['Choose Model'], command);
      assert.deepEqual([asked.inputs, asked.menus, asked.messages, asked.warnings], [[], [], [], []], command);
    }
  });

  it('and a skill without rejected edits has nothing to forget', async () => {
    const skillPath = aSkill('unrejected', {});
    const asked = await answering({}, () => vscode.commands.executeCommand('whetstone.forgetRejected', skillPath));
    assert.match(asked.messages.join('\n'), /no edit of this skill that was not taken/);
  });
});
