import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { frontOptions, writeFrontSkill } from '../../builders/aFrontSkill.js';
import { createUseCases } from '../../../src/app/useCases.js';
import { runRequestFor } from '../../../src/editor/run/runRequestFor.js';
import { candidateNodes } from '../../../src/editor/tree/candidateNodes.js';
import type { Row } from '../../../src/editor/tree/row.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import type { Proposal } from '../../../src/ports/proposal.js';
import { answering } from '../answering.js';
import { thisWindow } from '../thisWindow.js';
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

  it('are rows that say that they are not certified, each with what certifying it takes', async () => {
    const rows = await otherRows(skillPath, proposalIn(workspace));
    assert.deepEqual(
      rows.map((node) => [node.candidateId, node.row().contextValue]),
      [
        ['C2', 'candidate.open'],
        ['C2', 'certify'],
      ],
    );
    const [other, certify] = rows.map((node) => node.row());
    assert.match(other?.description ?? '', /^not certified · 50 %/);
    assert.match(sentencesOf(other).join(' '), /Certify C2: .*; 25 % of the error budget, of which 75 % are left\./);
    assert.equal(certify?.label, 'Certify This One');
    assert.match(certify?.description ?? '', /^12 to \d+ calls, .*; 25 % of the error budget$/);
  });

  it('are certified once the person has seen the price and the share of the error budget', async function () {
    this.timeout(120_000);
    const [other, certify] = (await otherRows(skillPath, proposalIn(workspace))).map((node) => node.row());
    const told = sentencesOf(other).at(-1) ?? '';
    assert.match(told, /calls.*25 % of the error budget, of which 75 % are left/);
    const closed = await answering({ modals: [undefined] }, () => pressed(certify));
    const asked = closed.messages.join('\n');
    assert.ok(asked.includes(told), `${told}\nis not what is asked:\n${asked}`);
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
    const { messages } = await answering({}, () =>
      vscode.commands.executeCommand('whetstone.reviewCandidate', { skillPath, candidateId: other }),
    );
    await until(() => proposalIn(workspace).candidates?.proposed.id === other, 'the other one is in front');
    assert.ok(messages.join('\n').includes(`${other} is the one that is proposed now. ${before} stands under`));
  });

  it('need a row to be called from', async () => {
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.certifyCandidate'));
    assert.match(errors.join('\n'), /which candidate is meant/);
  });
});

function sentencesOf(row: Row | undefined): readonly string[] {
  return row?.tooltip?.().split('\n\n') ?? [];
}

function pressed(row: Row | undefined): Thenable<unknown> {
  const { command, arguments: given = [] } = row?.command ?? { command: '' };
  return vscode.commands.executeCommand(command, ...given);
}

/** The rows of the other candidates, each with what stands beneath it, at the prices of this window. */
async function otherRows(skillPath: string, proposal: Proposal): Promise<readonly TreeNode[]> {
  const signal = new AbortController().signal;
  const prices = () => createUseCases(thisWindow('simulated')).candidatePrices(runRequestFor(skillPath), signal);
  const [list] = candidateNodes(skillPath, proposal, prices);
  const rows = (await list?.children()) ?? [];
  return (await Promise.all(rows.map(async (row) => [row, ...(await row.children())]))).flat();
}

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
