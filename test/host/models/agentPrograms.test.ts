import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { answering } from '../answering.js';

/** A person who has agent programs, one of them logged in by a plan and the others each with another trouble. */
describe('agent programs in the choice of a model', () => {
  let server: Server;
  let folder: string;
  const environment = { ...process.env };

  before(async () => {
    await setTarget(undefined);
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-programs-'));
    installs('claude', '2.1.325 (Claude Code)');
    installs('codex', 'codex-cli 0.1.0');
    installs('copilot', 'Blocked by the policy of your organisation.', 1);
    installs('gemini', '0.61.0');
    logIn();
    const address = server.address();
    const proxy = `http://127.0.0.1:${address instanceof Object ? address.port : 0}`;
    const none = {
      ANTHROPIC_API_KEY: '',
      ANTHROPIC_AUTH_TOKEN: '',
      CLAUDE_CODE_OAUTH_TOKEN: '',
      ANTHROPIC_BASE_URL: '',
    };
    // `sh` alone is found beside them.
    Object.assign(process.env, {
      PATH: [path.join(folder, 'bin'), '/bin'].join(path.delimiter),
      HOME: folder,
      HTTPS_PROXY: proxy,
      ...none,
    });
  });
  after(async () => {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    rmSync(folder, { recursive: true, force: true });
    server.close();
    await setTarget(undefined);
  });

  it('are shown with their state, and one that cannot be used says what to do', async () => {
    const { rows, messages } = await answering({ picks: ['$(circle-slash) Codex'] }, choose);
    const group = rows.slice(rows.indexOf('-- Agent programs') + 1, rows.indexOf('-- VS Code’s own'));
    assert.deepEqual(group.slice(0, 4).sort(), [
      '$(circle-slash) Codex: 0.1.0 is too old',
      '$(circle-slash) Gemini CLI: 0.61.0, not logged in',
      '$(circle-slash) GitHub Copilot CLI: blocked: Blocked by the policy of your organisation',
      '$(terminal) Claude Code: 2.1.325, by your plan',
    ]);
    assert.equal(group[0], '$(terminal) Claude Code: 2.1.325, by your plan', 'what can be used comes first');
    assert.match(group.join('\n'), /\$\(circle-slash\) Cursor.*: blocked: its tools cannot all be turned off/);
    assert.match(group.join('\n'), /\$\(circle-slash\) OpenCode: not installed/);
    assert.match(
      messages.join('\n'),
      /Codex 0\.1\.0 is too old: .* is needed\. Install a newer one: npm install -g @openai\/codex/,
    );
    assert.equal(target(), '');
  }).timeout(30_000);

  it('are chosen only once the person allowed their login, which is asked once', async () => {
    const program = '$(terminal) Claude Code';
    const refused = await answering({ picks: [program, 'Its own choice'], warnings: [undefined] }, choose);
    assert.deepEqual(refused.warnings, ['May Whetstone use your login to Claude Code?']);
    assert.equal(target(), '');
    await answering({ picks: [program, '$(edit) Other…'], inputs: ['sonnet-5'], warnings: ['Use My Login'] }, choose);
    assert.equal(target(), 'claude-code/sonnet-5');
    const odd = await answering({ picks: [program, '$(edit) Other…'], inputs: ['bad name!!'] }, choose);
    assert.match(odd.errors.join('\n'), /“claude-code\/bad name!!” names no model/);
    assert.equal(target(), 'claude-code/sonnet-5');
    const named = await answering({ picks: [program, 'haiku'] }, choose);
    assert.deepEqual(
      named.rows.slice(-5).map((row) => row.split(':')[0]),
      ['Its own choice', 'sonnet', 'opus', 'haiku', '$(edit) Other…'],
    );
    assert.equal(target(), 'claude-code/haiku');
    const again = await answering({ picks: [program, 'Its own choice'] }, choose);
    assert.deepEqual(again.warnings, []);
    assert.equal(target(), 'claude-code');
  }).timeout(30_000);

  it('are asked about anew once the person took their word back', async () => {
    const forgotten = await answering({ picks: ['Claude Code'] }, forget);
    assert.deepEqual(forgotten.rows, ['Claude Code: claude-code']);
    assert.match(forgotten.messages.join('\n'), /Your login is no longer used: Claude Code\./);
    const again = await answering({ picks: ['$(terminal) Claude Code', 'haiku'], warnings: [undefined] }, choose);
    assert.deepEqual(again.warnings, ['May Whetstone use your login to Claude Code?']);
    assert.match((await answering({}, forget)).messages.join('\n'), /You have not allowed Whetstone to use a login/);
  }).timeout(30_000);

  function installs(name: string, says: string, code = 0): void {
    const file = path.join(folder, 'bin', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho "${says}"\nexit ${code}\n`);
    chmodSync(file, 0o755);
  }

  function logIn(): void {
    const kept = {
      claudeAiOauth: { accessToken: 'planted', refreshToken: 'planted', expiresAt: Date.now() + 3_600_000 },
    };
    mkdirSync(path.join(folder, '.claude'));
    writeFileSync(path.join(folder, '.claude/.credentials.json'), JSON.stringify(kept));
  }
});

function choose(): Thenable<unknown> {
  return vscode.commands.executeCommand('whetstone.chooseModel', 'target');
}

function forget(): Thenable<unknown> {
  return vscode.commands.executeCommand('whetstone.forgetLogins');
}

function target(): string {
  return vscode.workspace.getConfiguration('whetstone').get('model.target', '');
}

function setTarget(spec: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update('model.target', spec, vscode.ConfigurationTarget.Global);
}
