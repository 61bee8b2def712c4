import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { stagedDecisions } from '../../builders/stageProposal.js';
import { onDisk, place, press, reviewOf, rowsOf, textOf, tidy, twoEdits } from './reviewWindow.js';
import { until } from '../until.js';
import { inFull } from '../../builders/few.js';

const { text, edits, whole } = twoEdits;

describe('an edit that was accepted into a file with unsaved words', () => {
  afterEach(tidy);

  inFull('leaves the file unsaved, and is open again once the file is reverted', async () => {
    const { candidate, skillPath, file } = await reviewOf({ name: 'reverted', text, edits });
    const change = new vscode.WorkspaceEdit();
    change.insert(file, new vscode.Position(5, 0), 'Mine.\n');
    await vscode.workspace.applyEdit(change);
    await until(async () => (await textOf(candidate)).includes('Mine.'), 'the proposal follows');
    await press(candidate, 'Accept', /1 of 2/);
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1']?.kind === 'accepted', 'E1 is accepted');
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.isDirty, true);
    assert.equal(await onDisk(skillPath), text);
    assert.match(document.getText(), /Mine\.[\s\S]*Use ISO order/);
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(async () => (await textOf(file)) === text, 'the file is as it was');
    await until(async () => (await textOf(candidate)) === whole, 'the proposal is whole');
    await until(async () => (await rowsOf(candidate)).length === 3, 'both edits are open');
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1'] === undefined, 'nothing is decided');
  });
});
