import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { ownReceipts, type Receipt } from '../../../src/storage/adoption/receipts.js';
import { stagedDecisions, stagedStore, stageProposal } from '../../builders/stageProposal.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { closeAll, onDisk, open, place, press, rowsOf } from './reviewWindow.js';
import { inFull } from '../../builders/few.js';

const text = '---\nname: memory\ndescription: Writes dates.\n---\n\n# Dates\n\nUse the local order.\n';
const skillEdit: Edit = { op: 'append', content: 'Say the time zone.', rationale: 'Two tasks failed without it.' };
const memoryText = '# House rules\n\nBe short.\n';
const rule: Edit = { op: 'append', content: 'Write dates as 2026-01-31.', rationale: 'The team does.' };

/** The file that goes with a skill: CLAUDE.md, AGENTS.md. */
describe('a memory file in review', () => {
  afterEach(closeAll);

  it('is accepted with a receipt, undone in its editor, by command, and restored from the history', async () => {
    const { skillPath, file, after } = await staged('memory-both', 'CLAUDE.md', [skillEdit]);
    await accept(skillPath, 'M1');
    assert.equal(await onDisk(file.fsPath), after);
    const [accepted] = await receipts(skillPath, 1);
    assert.deepEqual(
      [accepted?.action, accepted?.documents.map(({ kind, documentPath }) => [kind, documentPath])],
      ['adopt', [['memory', 'CLAUDE.md']]],
    );
    await until(async () => (await decision(skillPath)) === 'accepted', 'the decision is written down');

    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('undo');
    await until(async () => (await onDisk(file.fsPath)) === memoryText, 'the undone text is on disk');
    assert.equal((await receipts(skillPath, 2))[0]?.action, 'undo');
    await until(async () => (await decision(skillPath)) === undefined, 'the edit is open again');

    await accept(skillPath, 'M1');
    await receipts(skillPath, 3);
    await vscode.commands.executeCommand('whetstone.undo', skillPath);
    assert.equal(await onDisk(file.fsPath), memoryText);
    const shown = await vscode.workspace.openTextDocument(file);
    await until(() => shown.getText() === memoryText, 'its editor shows the undone text');

    await answering({ warnings: ['Restore'] }, () =>
      vscode.commands.executeCommand('whetstone.restoreVersion', { skillPath, version: '3' }),
    );
    assert.equal(await onDisk(file.fsPath), after);
    assert.equal(await onDisk(skillPath), text, 'the skill itself is as it was');
  });

  it('has its own diff with rows where the skill stays as it is, and offers no measurement of its own', async () => {
    const { skillPath, file, after } = await staged('memory-alone', 'AGENTS.md', []);
    const { candidate } = await open(skillPath, file.fsPath);
    const rows = (await rowsOf(candidate)).join('\n');
    assert.match(rows, /Accept \| Reject \| Why \| 1 of 1 · M1\b/);
    await press(candidate, 'Accept', /1 of 1/);
    assert.equal(await onDisk(file.fsPath), after);
    assert.doesNotMatch((await rowsOf(candidate)).join('\n'), /Measure What I Accepted/);
    const [only, ...others] = await receipts(skillPath, 1);
    assert.deepEqual([only?.verdict, only?.edits, others], ['accepted', ['M1'], []]);
    await until(async () => (await stagedDecisions(place(), skillPath)) === undefined, 'the proposal is put away');
  });

  it('is part of what was measured until the skill holds its part too', async () => {
    // A window keeps documents for a while after their tabs are closed.
    const earlier = new Set(memoryCandidates().map(String));
    const { skillPath } = await staged('memory-part', 'CLAUDE.md', [skillEdit]);
    await accept(skillPath, 'M1');
    const candidate = memoryCandidates().find((uri) => !earlier.has(String(uri)));
    assert.ok(candidate, memoryCandidates().join());
    assert.match((await rowsOf(candidate)).join('\n'), /Not measured: 1 of 2 edits is in the file/);
    await accept(skillPath, 'E1');
    await until(
      async () => /Improved from/.test((await rowsOf(candidate)).join('\n')),
      'both files hold what was measured',
    );
  });

  // Of a skill it is in the short numbers, in a window.
  inFull('is rejected without being touched', async () => {
    const { skillPath, file } = await staged('memory-rejected', 'CLAUDE.md', [skillEdit]);
    await vscode.commands.executeCommand('whetstone.rejectHunk', { skillPath, edits: ['M1'], reason: 'wrong' });
    await until(async () => (await decision(skillPath)) === 'rejected', 'the rejection is written down');
    assert.equal(await onDisk(file.fsPath), memoryText);
  });
});

async function staged(name: string, memoryPath: string, edits: readonly Edit[]) {
  const memory = { path: memoryPath, text: memoryText, edits: [rule] };
  const skillPath = await stageProposal(place(), { name, text, edits, memory });
  const file = vscode.Uri.file(path.join(place().workspace, memoryPath));
  const block = '<!-- SKILLOPT-SLEEP:LEARNED START -->\n## Learned preferences & procedures\n\n';
  const after = `${memoryText}\n${block}- Write dates as 2026-01-31.\n<!-- SKILLOPT-SLEEP:LEARNED END -->\n`;
  await vscode.commands.executeCommand('whetstone.refresh');
  return { skillPath, file, after };
}

function memoryCandidates(): readonly vscode.Uri[] {
  const shown = vscode.workspace.textDocuments.map(({ uri }) => uri);
  return shown.filter(({ scheme, path: file }) => scheme === 'whetstone-proposal' && file.includes('CLAUDE.md'));
}

async function accept(skillPath: string, edit: string): Promise<void> {
  await vscode.commands.executeCommand('whetstone.acceptHunk', { skillPath, edits: [edit] });
}

async function decision(skillPath: string): Promise<string | undefined> {
  return (await stagedDecisions(place(), skillPath))?.['M1']?.kind;
}

/** Once there are so many, newest first. */
async function receipts(skillPath: string, count: number): Promise<readonly Receipt[]> {
  const store = await stagedStore(place(), skillPath);
  return until(async () => {
    const found = await ownReceipts(store);
    return found.length >= count ? found : undefined;
  }, `there are ${count} receipts`);
}
