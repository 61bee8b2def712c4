import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { skillShownBy, versionUri } from '../../src/editor/tree/versionDocuments.js';
import { answering } from './answering.js';
import { aSkill } from './tasks/taskWindow.js';

/** A command, what it is called with, and what the person reads. */
const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['whetstone.optimize', 42, /not called with a skill/],
  ['whetstone.undo', {}, /not called with a skill/],
  ['whetstone.showTrainingReport', { skillPath: 7 }, /not called with a skill/],
  ['whetstone.tryTask', 42, /not called with a skill/],
  ['whetstone.editTask', undefined, /which task is meant/],
  ['whetstone.confirmTask', { skillPath: '/a/SKILL.md' }, /which task is meant/],
  ['whetstone.showAnswers', { taskId: 'one' }, /which task is meant/],
  ['whetstone.restoreVersion', { skillPath: '/a/SKILL.md', version: 3 }, /which version is meant/],
  ['whetstone.showVersion', 'SKILL.md', /which version is meant/],
  ['whetstone.labelAnswer', { skillPath: '/a/SKILL.md', id: '1', label: 'maybe' }, /which answer is meant/],
  ['whetstone.countLabels', { skillPath: '/a/SKILL.md', whose: 'theirs' }, /whose labels are to count/],
  ['whetstone.acceptHunk', 42, /not called with a proposed edit/],
  ['whetstone.rejectHunk', { edits: ['E1'] }, /not called with a proposed edit/],
  ['whetstone.acceptAllHunks', { skillPath: 7 }, /not called with a proposed edit/],
  ['whetstone.measureAccepted', [], /not called with a proposed edit/],
];

describe('a command that is called with the wrong thing', () => {
  for (const [command, given, said] of wrong) {
    it(`tells the person: ${command} with ${JSON.stringify(given)}`, async () => {
      const { errors } = await answering({}, () => vscode.commands.executeCommand(command, given));
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', said);
    });
  }
});

describe('a command that is called with nothing', () => {
  const skillPath = '/a folder/skills/one & two/SKILL.md';
  const shown: readonly (readonly [string, vscode.Uri, string | undefined])[] = [
    ['the file of a skill', vscode.Uri.file(skillPath), skillPath],
    ['an earlier text of a skill', versionUri(skillPath, { version: '6' }, 'before'), skillPath],
    ['another file', vscode.Uri.file('/a folder/README.md'), undefined],
    ['the output panel', vscode.Uri.from({ scheme: 'output', path: '/SKILL.md' }), undefined],
  ];
  for (const [what, uri, skill] of shown) {
    it(`finds ${skill === undefined ? 'no skill' : 'the skill'} behind ${what}`, () => {
      assert.equal(skillShownBy(uri), skill);
    });
  }

  it('says so where there are no drafts to confirm', async () => {
    const without = aSkill('no-drafts', { 'evals/evals.json': { evals: [{ id: 'one', prompt: 'Greet Ada' }] } });
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.confirmDrafts', without));
    assert.deepEqual(errors, ['This skill has no drafts to confirm. Draft tasks for it first.']);
  });
});
