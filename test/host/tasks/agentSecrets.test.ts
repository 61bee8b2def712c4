import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { curesOf } from '../../../src/editor/cures.js';
import { SecretsFound } from '../../../src/errors.js';
import { sha256 } from '../../../src/hash.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { aSkill } from './taskWindow.js';

const secret = `PORT=80\nGITHUB_TOKEN=ghp_${'a1B2'.repeat(8)}c3D4\n`;

describe('a fixture with what looks like a secret', () => {
  it('is shown at the place, and allowed by its content after one more question', async () => {
    const skillPath = aSkill('secretive', {
      'evals/evals.json': { evals: [{ id: 'move', prompt: 'Move it', expected_output: '' }] },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: {
          move: { environment: 'agent', agent: { fixture: 'evals/fixtures/shop' }, checks: [{ check: 'skill_used' }] },
        },
      },
      'evals/fixtures/shop/.env': secret,
    });
    const file = path.join(path.dirname(skillPath), 'evals/fixtures/shop/.env');
    const hash = sha256(new TextEncoder().encode(secret));
    const found = { file: '.env', fixture: 'evals/fixtures/shop', kinds: ['github-token'], hash, path: file, line: 2 };
    const [show, allow] = curesOf(new SecretsFound('Found.', 'Look.', { skillPath, files: [found] }));
    assert.deepEqual([show?.label, allow?.label], ['Show', 'Allow These']);
    await show?.run();
    const editor = await until(() => vscode.window.activeTextEditor, 'the file is shown');
    assert.deepEqual([editor.document.uri.fsPath, editor.selection.start.line], [file, 1]);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');

    const said = async (answer: string | undefined) =>
      answering({ warnings: [answer] }, async () => {
        await allow?.run();
      });
    const asked = await said(undefined);
    assert.match(asked.warnings.join('\n'), /May agents have these files/);
    assert.match(asked.warningDetails.join('\n'), /\.env \(.+\)[^]*exactly these contents/);
    assert.match((await said('Allow These')).messages.join('\n'), /may have from now on: 1\./);
    assert.deepEqual((await said('Allow These')).warnings, [], 'asked once');
    writeFileSync(file, `${secret}MORE=1\n`);
    assert.deepEqual((await said('Allow These')).warnings, [], 'another content is not what was shown');
    const anew = await answering({}, async () => {
      await vscode.commands.executeCommand('whetstone.allowSecrets', skillPath);
    });
    assert.equal(anew.warnings.length, 1, 'and has to be allowed anew');
  });
});
