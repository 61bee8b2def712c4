import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { aSkill, chooseSimulated, diffInFront, pagesOf, type OpenedPage } from './taskWindow.js';

describe('the prompts of a workspace', () => {
  const evals = { evals: [{ id: 'one', prompt: 'Greet Ada', expectations: ['The answer contains “zeppelin”.'] }] };
  let skillPath = '';
  let folder = '';

  const edit = (): Thenable<unknown> => vscode.commands.executeCommand('whetstone.editPrompt', skillPath);
  const trying = (): Thenable<unknown> =>
    vscode.commands.executeCommand('whetstone.tryTask', { skillPath, taskId: 'one' });

  before(async () => {
    await chooseSimulated();
    skillPath = aSkill('prompting', { 'evals/evals.json': evals });
    folder = path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', '.whetstone', 'prompts');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are opened for editing as a copy of ours, once', async () => {
    const forAll = ['attempt', 'All skills of this workspace'];
    await answering({ picks: forAll }, edit);
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.equal(document?.uri.fsPath, path.join(folder, 'attempt.md'));
    assert.match(document?.getText() ?? '', /\{\{skill\}\}/);
    const own = document?.getText().replace('Follow it.', 'Follow it. The answer contains “zeppelin”.') ?? '';
    writeFileSync(path.join(folder, 'attempt.md'), own);
    await answering({ picks: forAll }, edit);
    assert.equal(readFileSync(path.join(folder, 'attempt.md'), 'utf8'), own);
    assert.equal(existsSync(path.join(folder, 'judge.md')), false);
  });

  it('are made for one skill or one environment', async () => {
    for (const [pick, below] of [
      ['This skill', `skills/${path.relative(path.join(folder, '../..'), path.dirname(skillPath))}`],
      ['Environment “chat”', 'environments/chat'],
    ] as const) {
      const { rows } = await answering({ picks: ['rank', pick] }, edit);
      assert.ok(rows.includes(pick), rows.join(', '));
      const file = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
      assert.equal(file, path.join(folder, below, 'rank.md'));
      rmSync(file);
    }
  });

  it('are shown beside ours before their first use, and used after a yes alone', async function () {
    const refused = await answering({ warnings: ['Not Now'] }, trying);
    assert.match(refused.errors[0] ?? '', /you have not allowed that text yet/);
    assert.match(refused.warnings[0] ?? '', /attempt\.md takes the place of a prompt of Whetstone/);
    const [ours, theirs] = await diffInFront(/^attempt: as it ships/);
    assert.doesNotMatch(ours, /zeppelin/);
    assert.match(theirs, /zeppelin/);

    const pages: OpenedPage[] = [];
    const allowed = await answering({ warnings: ['Use This Prompt'] }, async () => {
      pages.push(...(await pagesOf(trying)));
    });
    assert.equal(allowed.warnings.length, 1);
    assert.match(pages[0]?.text() ?? '', /With the skill: passed/);
    const again = await answering({}, trying);
    assert.deepEqual(again.warnings, []);
  });
});
