import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { stagedDecisions } from '../../builders/stageProposal.js';
import { onDisk, place, press, reviewOf, rowsOf, tidy } from './reviewWindow.js';
import { until } from '../until.js';

const text =
  '---\nname: dates\ndescription: Writes dates.\n---\n\n# Dates\n\nUse the local order.\n\nName the month.\n\nKeep the year.\n';

describe('two neighbouring edits in review', () => {
  afterEach(tidy);

  it('keep a row each while the person types into one, and the one accepted is written alone', async () => {
    const anchor = 'Name the month.';
    const { candidate, skillPath } = await reviewOf({
      name: 'neighbours',
      text: text.replace(anchor, `- ${anchor}`),
      edits: [
        { op: 'insert_after', anchor, content: '- Say the zone.', rationale: 'One.' },
        { op: 'insert_after', anchor, content: '- Say the day.', rationale: 'Two.' },
      ],
    });
    const proposed = await vscode.workspace.openTextDocument(candidate);
    const change = new vscode.WorkspaceEdit();
    change.insert(candidate, proposed.positionAt(proposed.getText().indexOf('the zone.') + 9), ' XYZ');
    await vscode.workspace.applyEdit(change);
    const rows = (await rowsOf(candidate)).join('\n');
    assert.match(rows, /of 2 · E1 · edited by you/);
    assert.match(rows, /of 2 · E2 · (?!edited)/);
    await press(candidate, 'Accept', /E1 · edited by you/);
    assert.match(await onDisk(skillPath), /Say the zone\. XYZ/);
    assert.doesNotMatch(await onDisk(skillPath), /Say the day/);
    await until(async () => (await stagedDecisions(place(), skillPath))?.['E1']?.kind === 'edited', 'E1 is edited');
    assert.equal((await stagedDecisions(place(), skillPath))?.['E2'], undefined);
  });
});
