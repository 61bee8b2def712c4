import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

const skill = '.claude/skills/status-update/SKILL.md';

/** The model of this window follows the one good edit a third of the time, and the cap leaves room for two passes. */
describe('a certification that its cap cuts off', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const skillPath = path.join(folder, skill);

  before(async () => {
    await vscode.extensions.getExtension('whetstone.whetstone')?.activate();
    const settings = vscode.workspace.getConfiguration('whetstone');
    await settings.update('model.target', 'simulated?lapse=0.65', vscode.ConfigurationTarget.Global);
    await settings.update('caps.runTokens', 31_000, vscode.ConfigurationTarget.Global);
  });

  it('ends inconclusive after two passes, and says what would settle it', async function () {
    await vscode.commands.executeCommand('whetstone.optimize', skillPath);
    const { verdict } = proposalIn(folder);
    assert.deepEqual([verdict.kind, verdict.cause, verdict.figures?.passes], ['inconclusive', 'cap', 2]);
    assert.equal(verdict.cure, 'At most 6 more passes, about 96 calls, free of charge.');
    assert.deepEqual(passesOf(folder, 0), [1, 2]);
  });

  it('goes on at pass 3 of that same certification, to its decision', async function () {
    await vscode.commands.executeCommand('whetstone.gatherEvidence', skillPath);
    const { verdict } = proposalIn(folder);
    assert.ok(verdict.kind === 'accepted' || verdict.kind === 'rejected', verdict.kind);
    const [first, ...others] = passesOf(folder, 1);
    assert.equal(first, 3);
    assert.equal(verdict.figures?.passes, 3 + others.length);
  });

  it('is never re-opened once it has ended', async function () {
    const before = proposalIn(folder);
    await vscode.commands.executeCommand('whetstone.gatherEvidence', skillPath);
    assert.deepEqual(proposalIn(folder), before);
    assert.equal(runsIn(folder).length, 2);
  });
});

interface StoredProposal {
  readonly verdict: {
    readonly kind: string;
    readonly cause?: string;
    readonly cure?: string;
    readonly figures?: { readonly passes: number };
  };
}

function proposalIn(folder: string): StoredProposal {
  const proposals = path.join(folder, '.whetstone', 'proposals');
  const [name = '', ...others] = readdirSync(proposals);
  assert.deepEqual(others, [], 'one proposal waits');
  const read: StoredProposal = JSON.parse(readFileSync(path.join(proposals, name), 'utf8'));
  return read;
}

/** The passes that a run made, the oldest run first. */
function passesOf(folder: string, run: number): readonly number[] {
  const journal = path.join(folder, '.whetstone', 'runs', runsIn(folder)[run] ?? '', 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const { event }: { readonly event: { readonly kind: string; readonly pass: number } } = JSON.parse(line);
    return event.kind === 'certification' ? [event.pass] : [];
  });
}

/** By the time of their first line: ids tell no more than the second. */
function runsIn(folder: string): readonly string[] {
  const runs = path.join(folder, '.whetstone', 'runs');
  const beganAt = (run: string): number => {
    const [line = ''] = readFileSync(path.join(runs, run, 'journal.jsonl'), 'utf8').split('\n');
    const { at }: { readonly at: number } = JSON.parse(line);
    return at;
  };
  return readdirSync(runs).sort((a, b) => beganAt(a) - beganAt(b));
}
