import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { watchSkillFiles } from '../../../src/editor/skills/watchSkillFiles.js';
import { few } from '../../builders/few.js';
import { until } from '../until.js';

/** With many skills, reading them all again after every save would be felt. */
describe('watching the files of skills', () => {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = path.join(workspace, 'skills', 'release-notes');
  const skillPath = path.join(folder, 'SKILL.md');
  const text = readFileSync(skillPath);
  const told: (string | undefined)[] = [];
  const watching: vscode.Disposable[] = [];
  const made: string[] = [];

  before(async function () {
    for (const each of ['skills/release-notes/evals', '.whetstone', '.whetstone/proposals']) {
      await makeSeen(path.join(workspace, each));
    }
    watching.push(watchSkillFiles((touched) => told.push(touched)));
  });
  after(() => {
    for (const each of watching) each.dispose();
    for (const each of made.toReversed()) rmSync(each, { recursive: true });
    writeFileSync(skillPath, text);
  });

  const rows = [
    { name: 'skills/release-notes/evals/evals.json', about: skillPath },
    { name: '.whetstone/proposals/x.json', about: undefined },
    { name: 'skills/release-notes/SKILL.md', about: skillPath },
    { name: 'skills/release-notes/evals/whetstone.json', about: skillPath },
  ];
  for (const { name, about } of few(rows, 2))
    it(`tells of ${name} that ${about === undefined ? 'any skill' : 'the one beside it'} may have changed`, async function () {
      await atRest();
      writeFileSync(path.join(workspace, name), 'other words');
      await until(() => told.length > 0, name);
      assert.deepEqual(new Set(told), new Set([about]));
    });

  it('tells of a skill that went away that any may have changed', async function () {
    await atRest();
    rmSync(skillPath);
    await until(() => told.length > 0, 'any');
    assert.deepEqual(new Set(told), new Set([undefined]));
  });

  /** On Linux what is written into a folder is seen only after the folder was. */
  async function makeSeen(wanted: string): Promise<void> {
    if (existsSync(wanted)) return;
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(workspace, '**'));
    const seen = new Set<string>();
    watching.push(
      watcher,
      watcher.onDidCreate(({ fsPath }) => seen.add(fsPath)),
    );
    made.push(wanted);
    mkdirSync(wanted);
    await until(() => seen.has(wanted), wanted);
  }

  async function atRest(): Promise<void> {
    do {
      told.length = 0;
      await wait(1_000);
    } while (told.length > 0);
  }
});
