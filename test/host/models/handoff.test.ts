import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { SkillOverview } from '../../../src/app/results/overview.js';
import { createUseCases, type UseCases } from '../../../src/app/useCases.js';
import type { KnownSkill } from '../../../src/editor/tree/skillNode.js';
import { runNode } from '../../../src/editor/tree/runsTree.js';
import { skillRows } from '../../../src/editor/tree/skillRows.js';
import { EditChoices } from '../../../src/review/editChoices.js';
import { skillState } from '../../../src/editor/tree/skillState.js';
import { answerAll, answersPrompts } from '../../builders/answeredByHand.js';
import { answering } from '../answering.js';
import { thisWindow } from '../thisWindow.js';
import { until } from '../until.js';
import { aSkill } from '../tasks/taskWindow.js';
import { inFull } from '../../builders/few.js';

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
  const neverAborted = new AbortController().signal;
  let skillPath = '';
  before(async () => {
    await setTarget('handoff');
    skillPath = aSkill('by-hand', {
      'evals/evals.json': evals,
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks },
    });
  });
  after(async () => {
    await useCases().cleanData(where(), neverAborted);
    await setTarget(undefined);
  });

  const where = () => ({ skillPath, workspaceFolders: [path.resolve(skillPath, '../../..')] });
  const overview = (): Promise<SkillOverview> => useCases().overview(where(), neverAborted);

  it('says in the question how many rounds there will be, then how many prompts wait, and leads to them', async () => {
    const { messages } = await answering({ modals: ['Optimize'], buttons: ['Show Prompts'] }, async () => {
      await vscode.commands.executeCommand('whetstone.optimize', skillPath);
      await until(isShown, 'the index is shown');
    });
    const text = messages.join('\n');
    assert.match(text, /Answered by hand: usually \d+, at most \d+ rounds/);
    assert.doesNotMatch(text, /Calls that fail/);
    assert.match(text, /by-hand: 12 prompts wait for answers\. Answer them into files beside them, then go on\./);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('stands in the tree with the number that waits, and a row that opens the index', async () => {
    const known = await knownNow();
    const { words, icon, contextValue } = skillState(known);
    assert.deepEqual([words, icon], ['12 prompts wait', 'mail']);
    assert.match(contextValue, /^skill\.paused.*\+handed/);
    const row = handedRows(known)[0]?.row();
    assert.deepEqual([row?.label, row?.description], ['Handoff', '12 prompts wait']);
    const [uri] = row?.command?.arguments ?? [];
    assert.ok(uri instanceof vscode.Uri && existsSync(uri.fsPath));
    assert.match(readFileSync(uri.fsPath, 'utf8'), /^# 12 prompts wait for answers/);
  });

  it('asks before a second run is begun beside it, and begins none where the person turns away', async () => {
    const { messages } = await answering({ modals: [undefined] }, optimize);
    assert.match(
      messages.join('\n'),
      /^A run of by-hand waits for answers already\.\n12 prompts without an answer, 0 with one\./,
    );
    assert.equal((await overview()).runs.length, 1);
    // Goes on without the whole preflight: nothing costs money, and it was told before the first round.
    const { messages: again } = await answering({ modals: ['Go On'] }, optimize);
    assert.equal(again.length, 2, again.join('\n'));
    assert.match(again[1] ?? '', /by-hand: 12 prompts wait for answers\./);
    assert.equal((await overview()).runs.length, 1);
  });

  const allAnswered = 'by-hand: all prompts are answered. The run can go on.';
  it('says once that they are answered, with a button that goes on, which asks nothing', async () => {
    const { messages } = await answering({ modals: [], buttons: [] }, async (asked) => {
      await vscode.commands.executeCommand('whetstone.showSkill', skillPath); // the trees have seen what waits
      await wait(1000);
      const [handed] = (await overview()).handed ?? [];
      await answerAll(handed?.folder ?? '', answersPrompts());
      assert.equal(skillState(await knownNow()).words, 'answered, can go on');
      await until(() => asked.messages.includes(allAnswered), 'it is noticed');
      await wait(2500); // longer than until the next look
    });
    // What the run before it said may come late.
    assert.deepEqual(
      messages.filter((message) => !/\d prompts? waits? for/.test(message)),
      [allAnswered],
    );
    const next = await answering({ modals: [] }, async (asked) => {
      await vscode.commands.executeCommand('whetstone.resumeRun', skillPath);
      await until(() => asked.messages.length > 0, 'the message is shown after the command');
    });
    assert.deepEqual(next.messages, [
      'by-hand: 1 prompt waits for its answer. Answer it into a file beside it, then go on.', // the optimizer’s
    ]);
  });

  it('keeps its prompts where another run is named, which waits no more', async () => {
    const [handed] = (await overview()).handed ?? [];
    const { errors, warnings } = await answering({ warnings: ['Give Up'] }, () =>
      vscode.commands.executeCommand('whetstone.giveUpRun', { skillPath, runId: 'gone' }),
    );
    assert.match(errors.join('\n'), /by-hand: this run does not wait for answers by hand any more/);
    assert.deepEqual(warnings, []);
    assert.ok(existsSync(handed?.folder ?? ''));
  });

  it('is given up at the word of the person, who is told what is deleted', async () => {
    const [handed] = (await overview()).handed ?? [];
    const { waiting = 0, answered = 0 } = handed ?? {};
    const deleted = `${waiting + answered} prompts? and ${answered} answers? are deleted`;
    await answering({ warnings: [undefined] }, () => vscode.commands.executeCommand('whetstone.giveUpRun', skillPath));
    assert.ok(existsSync(handed?.folder ?? ''));
    const { warnings, warningDetails, messages } = await answering({ warnings: ['Give Up'] }, () =>
      vscode.commands.executeCommand('whetstone.giveUpRun', skillPath),
    );
    assert.deepEqual(warnings, ['Give up the waiting run of by-hand?']);
    assert.equal(waiting, 1);
    assert.match(warningDetails.join('\n'), new RegExp(`^It began .*\\d.*\\. ${deleted}\\.`));
    assert.match(messages.join('\n'), /given up, and its prompts are deleted/);
    assert.ok(!existsSync(handed?.folder ?? ''));
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.giveUpRun', skillPath));
    assert.match(errors.join('\n'), /nothing waits for answers by hand/);
  });

  it('says in the tree that it was given up, and goes on no more', async () => {
    const known = await knownNow();
    assert.equal(known.overview?.handed, undefined);
    const { words, more, contextValue } = skillState(known);
    assert.deepEqual([words, more], ['given up', ['Given up: its prompts were deleted.']]);
    assert.doesNotMatch(contextValue, /paused|handed/);
    const [run] = known.overview?.runs ?? [];
    assert.ok(run !== undefined);
    const { contextValue: ofRun, description = '' } = runNode(run, skillPath).row();
    assert.deepEqual([ofRun, description.split(' · ')[0]], ['run.given-up', 'given up']);
  });

  // On the command line it is in the short numbers.
  inFull(
    'is given up alone where another one waits: the one of the row, or the one that the person picks',
    async () => {
      await answering({ modals: ['Optimize'] }, optimize);
      for (let more = 0; more < 2; more += 1) await answering({ modals: ['Start Anew', 'Optimize'] }, optimize);
      const [newest = '', middle = '', oldest = ''] = await waitingNames();
      const [, row] = handedRows(await knownNow());
      await answering({ warnings: ['Give Up'] }, () => vscode.commands.executeCommand('whetstone.giveUpRun', row));
      assert.deepEqual(await waitingNames(), [newest, oldest]);

      // Two that wait are told apart by when they were begun, and the skill counts both.
      const known = await knownNow();
      const [first, second] = handedRows(known).map((each) => each.row().description);
      assert.match(first ?? '', /^12 prompts wait, begun .*\d/);
      assert.notEqual(first, second);
      assert.equal(skillState(known).words, '24 prompts wait');

      const closed = await answering({}, () => vscode.commands.executeCommand('whetstone.giveUpRun', skillPath));
      assert.deepEqual(closed.menus, ['by-hand: which one is given up? | The others keep waiting']);
      const begun = (await overview()).handed?.find(({ name }) => name === oldest)?.startedAt ?? 0;
      const label = `by-hand, begun ${new Date(begun).toLocaleString()}`;
      assert.ok(closed.rows.join('\n').includes(label), closed.rows.join('\n'));
      assert.deepEqual([closed.warnings, await waitingNames()], [[], [newest, oldest]]);
      await answering({ picks: [label], warnings: ['Give Up'] }, () =>
        vscode.commands.executeCommand('whetstone.giveUpRun', skillPath),
      );
      assert.deepEqual(await waitingNames(), [newest]);
      assert.equal(row?.runId, middle);
      assert.equal(skillState(await knownNow()).words, '12 prompts wait');
    },
  );

  const waitingNames = async () => ((await overview()).handed ?? []).map(({ name }) => name);

  const optimize = async (): Promise<void> => {
    await vscode.commands.executeCommand('whetstone.optimize', skillPath);
    await wait(500); // the message is shown after the command
  };

  async function knownNow(): Promise<KnownSkill> {
    const skill = { realPath: skillPath, paths: [skillPath], name: 'by-hand', workspaceFolder: '' };
    return { skill, overview: await overview(), trouble: undefined, running: undefined };
  }
});

function useCases(): UseCases {
  return createUseCases(thisWindow('handoff'));
}

function setTarget(spec: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update('model.target', spec, vscode.ConfigurationTarget.Global);
}

function handedRows(known: KnownSkill) {
  return skillRows(known, { choices: new EditChoices(), useCases: () => Promise.resolve(useCases()) }).filter(
    (node) => node.row().contextValue === 'handed.run',
  );
}

function isShown(): boolean {
  return vscode.window.activeTextEditor?.document.fileName.endsWith('INDEX.md') === true;
}
