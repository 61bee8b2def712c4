import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';

const skill = '.github/skills/code-review/SKILL.md';

/** A run as its preset has it, and with what a workspace can ask for beside it; the file is YAML, which JSON is too. */
const wholeRuns = [
  { preset: 'standard', config: {} },
  { preset: 'standard', config: { edits: { mode: 'rewrite_from_suggestions' } } },
  { preset: 'standard', config: { edits: { mode: 'full_rewrite_minibatch' } } },
  { preset: 'standard', config: { choice: { measures: ['score', 'skill-tokens', 'answer-tokens', 'answer-time'] } } },
  { preset: 'standard', config: { edits: { control: 'autonomous' } } },
  { preset: 'standard', config: { train: { batchSize: 4, accumulation: 2 } } },
  { preset: 'standard', config: { reflect: { skillAware: true } } },
] as const;
const runs = process.env['WHETSTONE_FULL'] === '1' ? wholeRuns : [{ preset: 'quick', config: {} }];

/** One engine, two faces: same skill, tasks, seed and user state, same proposal, byte for byte. */
describe('the command line and the extension', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'whetstone-same-'));
  const extension = vscode.extensions.getExtension('whetstone.whetstone');

  after(() => rmSync(base, { recursive: true, force: true }));

  for (const { preset, config } of runs) {
    it(`stage the same bytes for the same seed and the same user state: ${preset} ${JSON.stringify(config)}`, async function () {
      this.timeout(300_000);
      assert.ok(extension);
      await extension.activate();
      forgetCertifications();
      const demo = path.join(extension.extensionPath, 'media', 'demo');
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
      assert.ok(folder);
      const places = [folder, path.join(base, 'line')].map((to) => copyOf(demo, to, config));
      const [inEditor = '', onCommandLine = ''] = places;
      await optimizeInEditor(path.join(inEditor, skill), preset);
      const cli = path.join(extension.extensionPath, 'dist', 'cli.js');
      optimizeOnCommandLine(cli, onCommandLine, preset);
      const [mine, theirs] = places.map(proposalIn);
      assert.ok(mine !== undefined && theirs !== undefined);
      assert.equal(mine.name, theirs.name, differing(mine.bytes, theirs.bytes));
      assert.ok(mine.bytes.equals(theirs.bytes), 'the two proposals differ');
    });
  }

  /** The error budget of a skill lasts for four runs: where it is empty the window asks first, and nothing is certified. */
  function forgetCertifications(): void {
    for (const home of [process.env['WHETSTONE_HOME'], path.join(base, 'home')]) {
      assert.ok(home);
      rmSync(path.join(home, 'certifications'), { recursive: true, force: true });
    }
  }

  function optimizeOnCommandLine(cli: string, cwd: string, preset: string): void {
    const home = process.env['WHETSTONE_HOME'];
    assert.ok(home);
    const otherHome = path.join(base, 'home');
    mkdirSync(otherHome, { mode: 0o700, recursive: true });
    copyFileSync(path.join(home, 'state.key'), path.join(otherHome, 'state.key'));
    const words = ['optimize', path.join(cwd, skill), '--model', 'simulated', '--preset', preset, '--json'];
    const env = { ...process.env, WHETSTONE_HOME: otherHome, ELECTRON_RUN_AS_NODE: '1' };
    execFileSync(process.execPath, [cli, ...words], { env, cwd });
  }
});

async function optimizeInEditor(file: string, preset: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('whetstone');
  await settings.update('model.target', 'simulated', vscode.ConfigurationTarget.Global);
  await settings.update('preset', preset, vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('whetstone.optimize', file);
  await settings.update('preset', undefined, vscode.ConfigurationTarget.Global);
}

/** The parts of two proposals that are not alike, for the message. */
function differing(mine: Buffer, theirs: Buffer): string {
  const [a, b] = [mine, theirs].map((bytes) => new Map<string, unknown>(Object.entries(JSON.parse(bytes.toString()))));
  const names = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])];
  const [inA, inB] = [a, b].map((each) => (name: string) => JSON.stringify(each?.get(name))?.slice(0, 400));
  return names
    .filter((name) => inA?.(name) !== inB?.(name))
    .map((name) => `${name}: ${inA?.(name)} in the editor, ${inB?.(name)} on the command line`)
    .join('\n');
}

/** The demo as it is shipped, without what an earlier run left there. */
function copyOf(from: string, to: string, config: object): string {
  rmSync(path.join(to, '.whetstone'), { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  mkdirSync(path.join(to, '.whetstone'), { recursive: true });
  if (Object.keys(config).length > 0) writeFileSync(path.join(to, '.whetstone', 'config.yaml'), JSON.stringify(config));
  return to;
}

function proposalIn(folder: string): { readonly name: string; readonly bytes: Buffer } {
  const proposals = path.join(folder, '.whetstone', 'proposals');
  // A review that another script left open may write its own proposal here, too.
  const staged = readdirSync(proposals).map((name) => ({ name, bytes: readFileSync(path.join(proposals, name)) }));
  const found = staged.find(({ bytes }) => /"skillName":\s*"code-review"/.test(bytes.toString()));
  assert.ok(found, staged.map(({ name }) => name).join(', '));
  return found;
}
