import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { ownReceipts, type Receipt } from '../../../src/storage/adoption/receipts.js';
import { aProposedEdit } from '../../builders/aReviewProposal.js';
import { stagedDecisions, stagedStore, stageProposal } from '../../builders/stageProposal.js';
import { until } from '../until.js';
import { closeAll, onDisk, open, place, press, rowsOf } from './reviewWindow.js';
import { inFull } from '../../builders/few.js';

const text = '---\nname: package\ndescription: Writes dates.\n---\n\n# Dates\n\nSee references/months.md.\n';
const skillEdit: Edit = { op: 'append', content: 'Say the time zone.', rationale: 'Two tasks failed without it.' };
const months = '# Months\r\n\r\nWrite the month as a number.\r\n\r\nNever leave the year out.\r\n';
const monthEdit: Edit = {
  op: 'replace',
  file: 'references/months.md',
  anchor: 'Write the month as a number.',
  content: 'Write the month as a word.',
  rationale: 'Three tasks wanted words.',
};
const mended = months.replace('a number', 'a word');

/** A Markdown file beside SKILL.md. */
describe('a file of the package in review', () => {
  afterEach(closeAll);

  it('has a diff of its own, is accepted with its line breaks, and undone byte for byte', async () => {
    const { skillPath, file } = await staged('package-both', [skillEdit]);
    const candidate = await listed(skillPath);
    const rows = (await rowsOf(candidate)).join('\n');
    assert.match(rows, /Accept \| Reject \| Why \| \d of \d · E2\b/);
    assert.match(rows, /Accept All in This File \| Reject All in This File/);
    await press(candidate, 'Accept', /· E2\b/);
    assert.equal(await onDisk(file), mended);
    const [accepted] = await receipts(skillPath, 1);
    assert.deepEqual(
      [accepted?.action, accepted?.verdict, accepted?.documents.map(({ kind, documentPath }) => [kind, documentPath])],
      ['adopt', 'unmeasured', [['file', './references/months.md']]],
    );
    const after = (await rowsOf(candidate)).join('\n');
    assert.match(after, /Not measured: 1 of 2 edits is in the file/);
    assert.match(after, /Decided in this file: 1 edit is left in SKILL\.md/);
    assert.doesNotMatch(after, /Review finished/);
    await vscode.commands.executeCommand('whetstone.undo', skillPath);
    assert.deepEqual([await onDisk(skillPath), await onDisk(file)], [text, months]);
  });

  inFull('is part of what was measured until the skill holds its part too', async () => {
    const { skillPath } = await staged('package-part', [skillEdit]);
    const candidate = await listed(skillPath);
    await accept(skillPath, 'E1');
    await accept(skillPath, 'E2');
    await until(
      async () => /Improved from/.test((await rowsOf(candidate)).join('\n')),
      'both files hold what was measured',
    );
    assert.equal((await receipts(skillPath, 2))[0]?.verdict, 'accepted');
    await until(async () => (await stagedDecisions(place(), skillPath)) === undefined, 'the proposal is put away');
  });

  it('is reviewed by itself where SKILL.md stays as it is', async () => {
    const { skillPath, file } = await staged('package-alone', []);
    const { candidate } = await open(skillPath, file);
    await press(candidate, 'Accept', /1 of 1/);
    assert.equal(await onDisk(file), mended);
    assert.deepEqual((await receipts(skillPath, 1))[0]?.verdict, 'accepted');
    assert.equal(await onDisk(skillPath), text);
  });
});

async function staged(name: string, edits: readonly Edit[]) {
  const file = { path: 'references/months.md', text: months, edits: [aProposedEdit(monthEdit, { id: 'E2' })] };
  const skillPath = await stageProposal(place(), { name, text, edits, file });
  await vscode.commands.executeCommand('whetstone.refresh');
  return { skillPath, file: path.join(path.dirname(skillPath), 'references/months.md') };
}

/** The proposal for the file, which has a diff of its own. */
async function listed(skillPath: string): Promise<vscode.Uri> {
  // A window keeps documents for a while after their tabs are closed.
  const earlier = new Set(candidates().map(String));
  await vscode.commands.executeCommand('whetstone.review', skillPath);
  return until(() => candidates().find((uri) => !earlier.has(String(uri))), 'the file is shown');
}

function candidates(): readonly vscode.Uri[] {
  const shown = vscode.workspace.textDocuments.map(({ uri }) => uri);
  return shown.filter(({ scheme, path: file }) => scheme === 'whetstone-proposal' && file.includes('months.md'));
}

async function accept(skillPath: string, edit: string): Promise<void> {
  await vscode.commands.executeCommand('whetstone.acceptHunk', { skillPath, edits: [edit] });
}

/** Once there are so many, newest first. */
async function receipts(skillPath: string, count: number): Promise<readonly Receipt[]> {
  const store = await stagedStore(place(), skillPath);
  return until(async () => {
    const found = await ownReceipts(store);
    return found.length >= count ? found : undefined;
  }, `there are ${count} receipts`);
}
