import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { closeAll, open } from '../review/reviewWindow.js';
import { until } from '../until.js';
import { inFull } from '../../builders/few.js';

const Record = z.object({
  format: z.literal('whetstone-record'),
  score: z.number(),
  tasks: z.record(z.string(), z.number()),
  adopted: z.array(z.object({ verdict: z.string(), after: z.number() })),
});

/** The file that a team commits: begun by the person, kept up to date by adoptions, never begun by one. */
describe('the record of a skill', () => {
  let folder: string;
  before(async () => {
    const extension = vscode.extensions.getExtension('whetstone.whetstone');
    await extension?.activate();
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(extension && workspace);
    folder = path.join(workspace.uri.fsPath, 'skills', 'incident-summary');
    await cp(path.join(extension.extensionPath, 'media/demo/.claude/skills/incident-summary'), folder, {
      recursive: true,
    });
    const settings = vscode.workspace.getConfiguration('whetstone');
    await settings.update('model.target', 'simulated', vscode.ConfigurationTarget.Global);
    await settings.update('preset', 'quick', vscode.ConfigurationTarget.Global);
  });
  after(() =>
    vscode.workspace.getConfiguration('whetstone').update('preset', undefined, vscode.ConfigurationTarget.Global),
  );

  it('is begun by “Record the Score for CI”, with scores and without answers', async function () {
    assert.equal(existsSync(recordIn(folder)), false);
    await vscode.commands.executeCommand('whetstone.updateRecord', path.join(folder, 'SKILL.md'));
    const { score, tasks, adopted } = readRecord(folder);
    assert.equal(score, 0);
    assert.equal(Object.keys(tasks).length, 21, 'the sealed ones are not in it');
    assert.deepEqual(adopted, []);
    assert.ok(readFileSync(recordIn(folder), 'utf8').length < 3_000);
  });

  inFull('is brought up to date when a measured proposal is accepted whole', async function () {
    const skillPath = path.join(folder, 'SKILL.md');
    await vscode.commands.executeCommand('whetstone.optimize', skillPath);
    await open(skillPath);
    await vscode.commands.executeCommand('whetstone.acceptAllHunks');
    await until(() => readRecord(folder).adopted.length > 0, 'the adoption is in the record');
    const { score, adopted } = readRecord(folder);
    assert.deepEqual(
      adopted.map(({ verdict, after }) => [verdict, after]),
      [['accepted', score]],
    );
    assert.ok(score > 0.5, `${score}`);
    await closeAll();
  });
});

function recordIn(folder: string): string {
  return path.join(folder, 'evals', 'record.json');
}

function readRecord(folder: string): z.infer<typeof Record> {
  return Record.parse(JSON.parse(readFileSync(recordIn(folder), 'utf8')));
}
