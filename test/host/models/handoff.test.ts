import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { chooseModels } from '../../../src/app/models/chooseModels.js';
import type { SkillOverview } from '../../../src/app/results/overview.js';
import { createUseCases, type UseCases } from '../../../src/app/useCases.js';
import { readCaps } from '../../../src/editor/settings.js';
import type { KnownSkill } from '../../../src/editor/tree/skillNode.js';
import { skillRows } from '../../../src/editor/tree/skillRows.js';
import { EditChoices } from '../../../src/editor/tree/skillsTree.js';
import { skillState } from '../../../src/editor/tree/skillState.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { answerAll, answersPrompts } from '../../builders/answeredByHand.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { aSkill } from '../tasks/taskWindow.js';

const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'Jun', 'Kai', 'Lea'];
const evals = { evals: names.map((name) => ({ id: name, prompt: `Greet ${name} at work`, expected_output: '' })) };
const tasks = Object.fromEntries(
  names.map((name, at) => [
    name,
    { checks: [{ check: 'contains', text: 'fathoms' }], split: at < 4 ? 'training' : 'heldOut' },
  ]),
);

describe('a run that somebody answers by hand', function byHand() {
  this.timeout(60_000);
  const calm = new AbortController().signal;
  let skillPath = '';
  before(async () => {
    await setTarget('handoff');
    skillPath = aSkill('by-hand', {
      'evals/evals.json': evals,
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks },
    });
  });
  after(async () => {
    await useCases().cleanData(where(), calm);
    await setTarget(undefined);
  });

  const where = () => ({ skillPath, workspaceFolders: [path.resolve(skillPath, '../../..')] });
  const overview = (): Promise<SkillOverview> => useCases().overview(where(), calm);

  it('says in the question how many rounds there will be, then how many prompts wait, and leads to them', async () => {
    const { messages } = await answering({ modals: ['Optimize'], buttons: ['Show Prompts'] }, async () => {
      await vscode.commands.executeCommand('whetstone.optimize', skillPath);
      await until(isShown, 'the index is shown');
    });
    const text = messages.join('\n');
    assert.match(text, /Answered by hand: usually \d+, at most \d+ rounds/);
    assert.match(text, /by-hand: 12 prompts wait for answers\. Answer them into files beside them, then go on\./);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('stands in the tree with the number that waits, and a row that opens the index', async () => {
    const known = await knownNow();
    const { words, icon, contextValue } = skillState(known);
    assert.deepEqual([words, icon], ['12 prompts wait', 'mail']);
    assert.match(contextValue, /^skill\.paused/);
    const row = rowOf(known);
    assert.deepEqual([row?.label, row?.description], ['Handoff', '12 prompts wait']);
    const [uri] = row?.command?.arguments ?? [];
    assert.ok(uri instanceof vscode.Uri && existsSync(uri.fsPath));
    assert.match(readFileSync(uri.fsPath, 'utf8'), /^# 12 prompts wait for answers/);
  });

  it('says that it can go on once they are answered, and does', async () => {
    const [handed] = (await overview()).handed ?? [];
    await answerAll(handed?.folder ?? '', answersPrompts());
    assert.equal(skillState(await knownNow()).words, 'answered, can go on');
    const { messages } = await answering({ modals: ['Resume'] }, async () => {
      await vscode.commands.executeCommand('whetstone.resumeRun', skillPath);
      await wait(500); // the message is shown after the command
    });
    assert.match(messages.join('\n'), /by-hand: 1 prompt waits for its answer\./); // the optimizer’s
  });

  async function knownNow(): Promise<KnownSkill> {
    const skill = { realPath: skillPath, paths: [skillPath], name: 'by-hand', workspaceFolder: '' };
    return { skill, overview: await overview(), trouble: undefined, running: undefined };
  }
});

function useCases(): UseCases {
  const { env: environment, platform } = process;
  const models = { target: 'handoff', optimizer: undefined, judge: undefined };
  return createUseCases({
    environment,
    platform,
    home: homedir(),
    clock: nodeClock,
    trusted: () => true,
    models: () => chooseModels(models, { environment, fetch }),
    consent: { allows: () => Promise.resolve(false) },
    caps: readCaps,
    tell: () => undefined,
  });
}

function setTarget(spec: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update('model.target', spec, vscode.ConfigurationTarget.Global);
}

function rowOf(known: KnownSkill) {
  return skillRows(known, { choices: new EditChoices(), useCases: () => Promise.resolve(useCases()) })
    .map((node) => node.row())
    .find(({ contextValue }) => contextValue === 'handed');
}

function isShown(): boolean {
  return vscode.window.activeTextEditor?.document.fileName.endsWith('INDEX.md') === true;
}
