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
  ['whetstone.acceptHunk', { skillPath: '/a/SKILL.md' }, /not called with a proposed edit/],
  ['whetstone.measureAccepted', [], /not called with a proposed edit/],
  ['whetstone.measureAccepted', 42, /not called with a proposed edit/],
  ['whetstone.measureAccepted', { candidate: 7 }, /not called with a proposed edit/],
  ['whetstone.review', 42, /not called with a proposed edit/],
  ['whetstone.review', { skillPath: 7 }, /not called with a proposed edit/],
  ['whetstone.optimize', vscode.Uri.parse('git:/a/SKILL.md'), /not called with a skill/],
  ['whetstone.showSkill', '/nowhere/lost/SKILL.md', /lost is not among the skills of the open folders/],
  ['whetstone.pauseRun', '/nowhere/lost/SKILL.md', /No run of lost goes on in this window/],
  ['whetstone.allowSecrets', { skillPath: '/a/SKILL.md', hashes: 'x' }, /takes no such “hashes”/],
  ['whetstone.previewRequests', { skillPath: '/a/SKILL.md', as: 'jsn' }, /takes no such “as”/],
  ['whetstone.exportReport', { skillPath: '/a/SKILL.md', format: 'pdf' }, /takes no such “format”/],
  ['whetstone.chooseModel', 'targt', /takes no such “role”/],
  ['whetstone.resumeRun', { skillPath: '/a/SKILL.md', runId: 7 }, /takes no such “runId”/],
  ['whetstone.showTrainingReport', { skillPath: '/a/SKILL.md', runId: 7 }, /takes no such “runId”/],
  ['whetstone.tryTask', { skillPath: '/a/SKILL.md', taskId: 7 }, /takes no such “taskId”/],
  ['whetstone.describeChecks', { skillPath: '/a/SKILL.md', taskId: 7 }, /takes no such “taskId”/],
  ['whetstone.newSkill', { asked: 'x' }, /takes no such “asked”/],
];

describe('a command that is called with the wrong thing', () => {
  tellsOfAll();
});

describe('a command that is called with the wrong thing while a skill is in front', () => {
  before(async () => {
    const skill = vscode.Uri.file(aSkill('in-front', {}));
    await vscode.window.showTextDocument(skill, { preview: false });
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  tellsOfAll();
});

function tellsOfAll(): void {
  for (const [command, given, said] of wrong) {
    it(`tells the person: ${command} with ${JSON.stringify(given)}`, async () => {
      const { errors } = await answering({}, () => vscode.commands.executeCommand(command, given));
      assert.equal(errors.length, 1);
      assert.match(errors[0] ?? '', said);
    });
  }
}

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
