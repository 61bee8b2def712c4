import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from './answering.js';

/** A command, what it is called with, and what the person reads. */
const wrong: readonly (readonly [string, unknown, RegExp])[] = [
  ['whetstone.optimize', 42, /not called with a skill/],
  ['whetstone.undo', {}, /not called with a skill/],
  ['whetstone.showTrainingReport', { skillPath: 7 }, /not called with a skill/],
  ['whetstone.tryTask', undefined, /which task is meant/],
  ['whetstone.confirmTask', { skillPath: '/a/SKILL.md' }, /which task is meant/],
  ['whetstone.showAnswers', { taskId: 'one' }, /which task is meant/],
  ['whetstone.restoreVersion', { skillPath: '/a/SKILL.md', version: 3 }, /which version is meant/],
  ['whetstone.showVersion', 'SKILL.md', /which version is meant/],
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
