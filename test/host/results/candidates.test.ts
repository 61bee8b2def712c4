import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { frontOptions, writeFrontSkill } from '../../builders/aFrontSkill.js';
import { candidateNodes } from '../../../src/editor/tree/candidateNodes.js';
import type { Proposal } from '../../../src/ports/proposal.js';
import { answering } from '../answering.js';
import { until } from '../until.js';

/** A run that chose by more than the score leaves another candidate: a row that can be certified, or taken as it is. */
describe('the other candidates of a proposal', () => {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = path.join(workspace, 'skills', 'harbour');
  const skillPath = path.join(folder, 'SKILL.md');
  const config = path.join(workspace, '.whetstone', 'config.yaml');

  before(async function () {
    this.timeout(120_000);
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    const settings = vscode.workspace.getConfiguration('whetstone');
    await settings.update('model.target', 'simulated', vscode.ConfigurationTarget.Global);
    writeFrontSkill(folder);
    mkdirSync(path.dirname(config), { recursive: true });
    assert.ok(!existsSync(config));
    writeFileSync(config, JSON.stringify({ skills: { 'skills/harbour': frontOptions } }));
    await vscode.commands.executeCommand('whetstone.refresh');
    await answering({ buttons: ['Optimize'] }, () => vscode.commands.executeCommand('whetstone.optimize', skillPath));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(config, { force: true });
  });

  it('are rows that say that they are not certified, each with its command', async () => {
    const [list] = candidateNodes(skillPath, proposalIn(workspace));
    const rows = (await list?.children()) ?? [];
    assert.deepEqual(
      rows.map((node) => [
        node.candidateId,
        node.row().contextValue,
        node.row().description?.startsWith('not certified · 50 %'),
      ]),
      [['C2', 'candidate.open', true]],
    );
  });

  it('are certified once the person has seen the price and the share of the error budget', async function () {
    this.timeout(120_000);
    const closed = await answering({ modals: [undefined] }, () =>
      vscode.commands.executeCommand('whetstone.certifyCandidate', { skillPath, candidateId: 'C2' }),
    );
    assert.match(closed.messages.join('\n'), /calls.*25 % of the error budget, of which 75 % are left/s);
    assert.equal(proposalIn(workspace).candidates?.others[0]?.evidence, undefined);
    await answering({ modals: ['Certify'] }, () =>
      vscode.commands.executeCommand('whetstone.certifyCandidate', { skillPath, candidateId: 'C2' }),
    );
    const { proposed, others } = proposalIn(workspace).candidates ?? {};
    assert.ok(proposed?.id === 'C2' || others?.[0]?.evidence !== undefined);
  });

  it('can be reviewed in the place of the one proposed', async function () {
    this.timeout(60_000);
    const before = proposalIn(workspace).candidates?.proposed.id;
    const other = before === 'C1' ? 'C2' : 'C1';
    await vscode.commands.executeCommand('whetstone.reviewCandidate', { skillPath, candidateId: other });
    await until(() => proposalIn(workspace).candidates?.proposed.id === other, 'the other one is in front');
  });

  it('need a row to be called from', async () => {
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.certifyCandidate'));
    assert.match(errors.join('\n'), /which candidate is meant/);
  });
});

/** The one that is about the harbour: other tests of this window have theirs. */
function proposalIn(workspace: string): Proposal {
  const proposals = path.join(workspace, '.whetstone', 'proposals');
  const read = readdirSync(proposals).map((name): Proposal =>
    JSON.parse(readFileSync(path.join(proposals, name), 'utf8')),
  );
  const found = read.find(({ skillName }) => skillName === 'harbour');
  assert.ok(found !== undefined, 'nothing was proposed');
  return found;
}
