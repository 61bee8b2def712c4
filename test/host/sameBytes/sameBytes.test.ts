import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

const preset = process.env['WHETSTONE_FULL'] === '1' ? 'standard' : 'quick';
const skill = '.github/skills/code-review/SKILL.md';

/** One engine, two faces: same skill, tasks, seed and user state, same proposal, byte for byte. */
describe('the command line and the extension', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'whetstone-same-'));
  const extension = vscode.extensions.getExtension('whetstone.whetstone');

  after(() => rmSync(base, { recursive: true, force: true }));

  it('stage the same bytes for the same seed and the same user state', async function () {
    this.timeout(90_000);
    assert.ok(extension);
    await extension.activate();
    const demo = path.join(extension.extensionPath, 'media', 'demo');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    const inEditor = copyOf(demo, folder);
    const onCommandLine = copyOf(demo, path.join(base, 'line'));
    const settings = vscode.workspace.getConfiguration('whetstone');
    await settings.update('model.target', 'simulated', vscode.ConfigurationTarget.Global);
    await settings.update('preset', preset, vscode.ConfigurationTarget.Global);

    await vscode.commands.executeCommand('whetstone.optimize', path.join(inEditor, skill));
    await settings.update('preset', undefined, vscode.ConfigurationTarget.Global);

    const home = process.env['WHETSTONE_HOME'];
    assert.ok(home);
    const otherHome = path.join(base, 'home');
    mkdirSync(otherHome, { mode: 0o700 });
    copyFileSync(path.join(home, 'state.key'), path.join(otherHome, 'state.key'));
    const cli = path.join(extension.extensionPath, 'dist', 'cli.js');
    execFileSync(
      process.execPath,
      [cli, 'optimize', path.join(onCommandLine, skill), '--model', 'simulated', '--preset', preset, '--json'],
      {
        env: { ...process.env, WHETSTONE_HOME: otherHome, ELECTRON_RUN_AS_NODE: '1' },
        cwd: onCommandLine,
      },
    );

    const [mine, theirs] = [inEditor, onCommandLine].map(proposalIn);
    assert.ok(mine !== undefined && theirs !== undefined);
    assert.equal(mine.name, theirs.name);
    assert.ok(mine.bytes.equals(theirs.bytes), 'the two proposals differ');
  });
});

function copyOf(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  mkdirSync(path.join(to, '.whetstone'), { recursive: true });
  return to;
}

function proposalIn(folder: string): { readonly name: string; readonly bytes: Buffer } {
  const proposals = path.join(folder, '.whetstone', 'proposals');
  const [name] = readdirSync(proposals);
  assert.ok(name);
  return { name, bytes: readFileSync(path.join(proposals, name)) };
}
