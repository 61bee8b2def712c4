import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startSimulatedServer, type SimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { openWorkbench } from '../driver/openWorkbench.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { isChosen } from './isChosen.js';

/** A person without an API key, who has Claude Code by a plan and the other programs each in another state. */
describe('agent programs, in the window', () => {
  let workbench: Workbench;
  let model: SimulatedServer;
  let proxy: Server;
  let folder: string;
  pictureOnFailure(() => workbench);

  before(async function () {
    model = await startSimulatedServer({ port: 0 });
    proxy = createServer().listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-programs-')));
    installPrograms();
    const address = proxy.address();
    workbench = await openWorkbench({
      vsix: path.resolve('whetstone.vsix'),
      workspace: path.resolve('media/demo'),
      env: {
        VSCODE_CLI: '1', // else a login shell is asked for the PATH
        PATH: [path.join(folder, 'bin'), path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
        HTTPS_PROXY: `http://127.0.0.1:${address instanceof Object ? address.port : 0}`,
        GEMINI_API_KEY: 'planted-key-0123456789',
        GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
        CLAUDE_CONFIG_DIR: path.join(folder, 'claude'),
      },
    });
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
  });

  after(async () => {
    await workbench.close();
    await model.stop();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are shown in the menu with their state', async function () {
    await workbench.palette('Whetstone: Choose Model');
    await workbench.quickInput.choose('Target');
    await workbench.quickInput.type('c'); // scrolls the group into view of a small window
    const rows = await workbench.quickInput.items();
    const shown = (what: RegExp): void =>
      assert.ok(
        rows.some((row) => what.test(row)),
        rows.join(' | '),
      );
    await workbench.screenshot('agents-states');
    shown(/Claude Code.*2\.1\.325, by your plan/);
    shown(/Codex.*0\.1\.0 is too old/);
    shown(/GitHub Copilot CLI.*blocked: Blocked by the policy/);
    shown(/Cursor.*blocked: its tools cannot all be turned off/);
    await workbench.quickInput.type('');
    const all = (await workbench.quickInput.items()).join('\n');
    assert.match(all, /Gemini CLI.*offline/);
    assert.match(all, /OpenCode.*not logged in/);
    await workbench.screenshot('agents-menu');
  });

  it('that cannot be used says what to do', async function () {
    await workbench.quickInput.type('Codex');
    await workbench.quickInput.choose('Codex');
    const said = await workbench.dialogs.text();
    await workbench.screenshot('agents-too-old');
    assert.match(said, /Codex 0\.1\.0 is too old: .* is needed\. Install a newer one: npm install/);
    await workbench.dialogs.press('Cancel');
  });

  it('is used with its login after a yes', async function () {
    await workbench.palette('Whetstone: Choose Model');
    await workbench.quickInput.choose('Target');
    await workbench.quickInput.type('Claude Code');
    await workbench.quickInput.choose('Claude Code');
    assert.match(await workbench.dialogs.text(), /May Whetstone use your login to Claude Code\?/);
    await workbench.screenshot('agents-login');
    await workbench.dialogs.press('Use My Login');
    await workbench.quickInput.choose('Its own choice');
    await isChosen(workbench, 'claude-code');
    await workbench.clearToasts();
  });

  it('trains a skill, and says before what it takes from the plan', async function () {
    await workbench.openFile('.claude/skills/incident-summary/SKILL.md');
    await workbench.lenses.click('Optimize This Skill');
    const said = await workbench.dialogs.text();
    await workbench.screenshot('agents-preflight');
    assert.match(said, /takes its calls and tokens from your plan with Claude Code/);
    assert.match(said, /from your plan with Claude Code · usually [\d,]+, at most [\d,]+ calls/);
    await workbench.dialogs.press('Optimize');
    await workbench.toasts.text(/incident-summary improved from/, { timeout: 220_000 }); // a process for each of 77 calls
    await workbench.screenshot('agents-trained');
  });

  function installPrograms(): void {
    mkdirSync(path.join(folder, 'bin'));
    mkdirSync(path.join(folder, 'claude'));
    copyFileSync(path.resolve('test/fakes/agents/claude.cjs'), path.join(folder, 'bin/claude'));
    copyFileSync(path.resolve('test/fakes/agents/standIn.cjs'), path.join(folder, 'bin/standIn.cjs'));
    chmodSync(path.join(folder, 'bin/claude'), 0o755);
    const relay = { kind: 'relay', url: model.url };
    writeFileSync(path.join(folder, 'bin/behaviour.json'), JSON.stringify(relay));
    const kept = { accessToken: 'planted-token-0123456789', expiresAt: Date.now() + 3_600_000 };
    writeFileSync(path.join(folder, 'claude/.credentials.json'), JSON.stringify({ claudeAiOauth: kept }));
    installs('codex', 'codex-cli 0.1.0');
    installs('copilot', 'Blocked by the policy of your organisation.', 1);
    installs('gemini', '0.61.0');
    installs('opencode', '1.18.33');
  }

  function installs(name: string, says: string, code = 0): void {
    const file = path.join(folder, 'bin', name);
    writeFileSync(file, `#!/bin/sh\necho "${says}"\nexit ${code}\n`);
    chmodSync(file, 0o755);
  }
});
