import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { tasksNode } from '../../../src/editor/tree/taskNodes.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { chooseSimulated, put } from './taskWindow.js';

const text = '---\nname: brought-letters\ndescription: Writes letters.\n---\n\n# Letters\n\nBe brief.\n';
const files = {
  'evals/whetstone.json': {
    format: 'whetstone.tasks',
    version: 1,
    environments: { post: { module: './post.mjs', brings: ['items', 'skill'] } },
  },
  'evals/post.mjs': `export default { rollout: async () => ({ hard: 1, soft: 1 }), initialSkill: () => ${JSON.stringify(text)} };`,
};

describe('a skill whose environment brings its first text and its tasks', () => {
  before(chooseSimulated);
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is written by “New Skill” after the person has seen the text, and not without their yes', async () => {
    const skillPath = path.join(await placeOfSkills(), 'brought-letters', 'SKILL.md');
    put(path.dirname(skillPath), files);
    const picks = ['Take the text that “post” brings'];
    const make = (modals: readonly (string | undefined)[]) =>
      answering({ inputs: ['brought-letters'], picks, warnings: ['Allow This Program'], modals }, () =>
        vscode.commands.executeCommand('whetstone.newSkill'),
      );
    const looked = await make([undefined]);
    assert.deepEqual(looked.errors, []);
    assert.ok(
      looked.warnings.some((warning) => warning.includes('post.mjs')),
      looked.warnings.join('\n'),
    );
    assert.match(looked.messages.join('\n'), /Write this to .*letters.*\?[^]*Be brief\./);
    assert.ok(!existsSync(skillPath), 'nobody said yes');

    await make(['Write']);
    await until(() => vscode.window.activeTextEditor?.document.uri.fsPath === skillPath, 'the skill is in front');
    assert.equal(readFileSync(skillPath, 'utf8'), text);
  });

  it('has a row beneath its tasks that says who brings them, and starts nothing for it', async () => {
    const skillPath = path.join(path.sep, 'skills', 'brought-letters', 'SKILL.md');
    const none = {
      training: [],
      heldOut: [],
      sealed: [],
      drafts: [],
      setAside: [],
      disabled: [],
      broken: [],
      moves: new Map(),
    };
    const node = tasksNode(skillPath, { ...none, problems: [], broughtBy: ['post'] }, () => Promise.resolve([]));
    assert.deepEqual(
      [node.row().description, node.row().says],
      ['brought by “post”', '“post” brings tasks of its own at the start of a run.'],
    );
    assert.deepEqual(
      (await node.children()).map((row) => row.row().label),
      ['“post” brings tasks of its own at the start of a run.'],
    );
  });
});

/** Where “New Skill” says that it would write one. */
async function placeOfSkills(): Promise<string> {
  const { prompts } = await answering({}, () => vscode.commands.executeCommand('whetstone.newSkill'));
  const [, place] = /^It is written to (.*)\/…/.exec(prompts[0] ?? '') ?? [];
  assert.ok(place !== undefined, prompts.join('\n'));
  return path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', place);
}
