import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { aSkill, chooseSimulated } from './taskWindow.js';

const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'];
const fixture = { repository: '.', commit: '0'.repeat(40) };

describe('a run that ends because of what a task starts from', () => {
  before(chooseSimulated);

  it('tells it in a message with what to do, and a button to the task', async () => {
    const skillPath = aSkill('bad-commit', {
      'evals/evals.json': {
        evals: names.map((id) => ({ id, prompt: `Move the shelf of ${id}`, expected_output: '' })),
      },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: Object.fromEntries(
          names.map((id) => [id, { environment: 'agent', agent: { fixture }, checks: [{ check: 'skill_used' }] }]),
        ),
      },
    });
    const { errors, errorButtons } = await answering({ modals: ['Optimize'] }, async (asked) => {
      await vscode.commands.executeCommand('whetstone.optimize', skillPath);
      await until(() => asked.errors.length > 0, 'what is wrong is told');
    });
    assert.match(
      errors.join('\n'),
      /^Task \w+: The commit 0{40} of .* could not be read: .*Name a commit that is there/m,
    );
    assert.deepEqual(errorButtons, ['Edit Task']);
  });
});
