import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { OptimizeResult } from '../../../src/app/runs/optimize.js';
import { answering } from '../answering.js';
import { aSkill, chooseSimulated, put } from '../tasks/taskWindow.js';

const examples = [
  ['module', './post.mjs'],
  ['program', 'python3 post.py'],
] as const;

/** A module runs in a child process of the window's own Node, never in the window. */
describe('examples/env-adapter in the editor', () => {
  const config = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.whetstone', 'config.yaml');
  before(async () => {
    await chooseSimulated();
    await preset('quick');
    put(path.dirname(config), { 'config.yaml': 'gate: { attribution: false, sealed: false }\n' });
  });
  after(() => {
    rmSync(config, { force: true });
    return preset(undefined);
  });

  for (const [kind, named] of process.env['WHETSTONE_FULL'] === '1' ? examples : examples.slice(0, 1)) {
    it(`trains a skill by a ${kind} to a proposal, once it is allowed`, async () => {
      const { proposal, noProposal, warnings } = await trained(kind);
      assert.ok(
        warnings.some((warning) => warning.includes(named)),
        warnings.join('\n'),
      );
      assert.equal(proposal?.verdict.kind, 'accepted', noProposal?.reason);
      assert.match(proposal.documents[0]?.candidateText ?? '', /Kind regards/);
    });
  }
});

function preset(value: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration().update('whetstone.preset', value, vscode.ConfigurationTarget.Global);
}

/** Copies the example into the open folder and optimizes it there, with a yes to all that is asked. */
async function trained(kind: string): Promise<Partial<OptimizeResult> & { readonly warnings: readonly string[] }> {
  const skillPath = aSkill(`env-${kind}`, {});
  const extension = vscode.extensions.getExtension('whetstone.whetstone')?.extensionPath ?? '';
  cpSync(path.join(extension, 'examples/env-adapter', kind), path.dirname(skillPath), { recursive: true });
  let result: OptimizeResult | undefined;
  const { warnings } = await answering({ modals: ['Optimize'], warnings: ['Allow This Program'] }, async () => {
    result = await vscode.commands.executeCommand<OptimizeResult>('whetstone.optimize', skillPath);
  });
  return { ...result, warnings };
}
