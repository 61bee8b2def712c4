import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { aKnownSkill } from '../../builders/aKnownSkill.js';
import type { TaskPower } from '../../../src/gate/power/taskPower.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import { answering } from '../answering.js';
import { rowsBeneath } from '../results/rowsBeneath.js';
import { aSkill, chooseSimulated, whetstoneOf } from './taskWindow.js';

const words = 'anchor bridge candle dragon engine forest garden hammer'.split(' ');

/** Held-out tasks whose every attempt comes out alike: the skill makes the model say “harbour”, never “velvet”. */
function taskFiles(): Readonly<Record<string, object>> {
  const rows = words.map((_, at) => ({ id: `held-${at}`, split: 'heldOut', word: at < 6 ? 'harbour' : 'velvet' }));
  const all = [...rows, ...[0, 1].map((at) => ({ id: `learn-${at}`, split: 'training', word: 'lantern' }))];
  const evals = all.map(({ id }, at) => ({
    id,
    prompt: `Greet the ${words[at] ?? `keeper ${at}`} of house ${at * 7}.`,
  }));
  const tasks = all.map(({ id, split, word }) => [id, { split, checks: checksFor(split, word) }] as const);
  return {
    'evals/evals.json': { skill_name: 'settled', evals },
    'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks: Object.fromEntries(tasks) },
  };
}

/** A line and its first word again: no words say that, so there is something to tell before a run. */
function checksFor(split: string, word: string): readonly object[] {
  const check = { check: 'contains', text: word };
  return split === 'training' ? [check, { check: 'regex', pattern: String.raw`(?m)^(\w+): .* \1$` }] : [check];
}

/** What a person sees in the window of held-out tasks that always pass or always fail. */
describe('held-out tasks that cannot decide', () => {
  let skillPath: string;
  before(async () => {
    await chooseSimulated();
    skillPath = aSkill('settled', taskFiles());
    for (let time = 0; time < 5; time++) await vscode.commands.executeCommand('whetstone.updateRecord', skillPath);
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('are named in the question before a run, where a press drafts harder ones', async () => {
    const { messages } = await answering({ modals: ['Draft Harder Tasks'], inputs: ['2'] }, () =>
      vscode.commands.executeCommand('whetstone.optimize', skillPath),
    );
    const [question = ''] = messages;
    assert.match(question, /Told from 5 earlier attempts a task\./);
    assert.match(
      question,
      /^6 of 8 held-out tasks always pass: a gain of 20 points would be found in \d+ % instead of/m,
    );
    assert.match(
      question,
      /^Passed in all known attempts with the skill as it is, .*held-0 \(5\).*They stay held out\.$/m,
    );
    assert.match(question, /^2 of 8 held-out tasks always fail: /m);
    const drafts = Object.values(whetstoneOf(skillPath)).filter(({ draft }) => draft === true);
    assert.ok(drafts.length > 0, 'the command that drafts tasks was run');
  }).timeout(60_000);

  it('stand under the held-out tasks of the tree as what they are, with the way to harder ones', async () => {
    const known = aKnownSkill({});
    const { overview } = known;
    assert.ok(overview?.tasks);
    const settled = { alwaysPass: [{ id: 'two', attempts: 8 }], alwaysFail: [] };
    const power = (): TaskPower => ({
      n: 12,
      found20: 0.37,
      found40: 0.94,
      known: { tasks: 12, attempts: { low: 8, high: 8 } },
      ...settled,
      instead: { found20: 0.57, found40: 0.98 },
    });
    const tasks = { ...overview.tasks, settled: { ...settled, power } };
    const rows = await rowsBeneath({ ...known, overview: { ...overview, tasks } });
    const heldOut = await beneath(await beneath(rows, 'tasks:'), ':heldOut');
    const [offer = [], task = []] = heldOut.map(shownBy);
    assert.deepEqual(offer.slice(0, 3), ['1 of 1 always passes', 'Draft Harder Tasks', 'whetstone.draftTasks']);
    assert.match(offer[3] ?? '', /a gain of 20 points would be found in 37 % instead of 57 % of runs/);
    assert.deepEqual(task.slice(0, 3), ['two', 'always passes, in 8 attempts', 'whetstone.showTask']);
    assert.match(task[3] ?? '', /it cannot show a gain, and still shows damage\./);
  });
});

/** Label, description, command and tooltip of a row. */
function shownBy(node: TreeNode): readonly (string | undefined)[] {
  const { label, description, command, tooltip } = node.row();
  return [label, description, command?.command, tooltip?.()];
}

async function beneath(nodes: readonly TreeNode[], part: string): Promise<readonly TreeNode[]> {
  return (await nodes.find(({ id }) => id.includes(part))?.children()) ?? [];
}
