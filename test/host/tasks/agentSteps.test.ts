import assert from 'node:assert/strict';
import type { KeptAttempt } from '../../../src/app/results/keptAttempts.js';
import { attemptNodes, gateAttemptNodes } from '../../../src/editor/tree/stepNodes.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import { aKnownSkill } from '../../builders/aKnownSkill.js';
import { aTask } from '../../builders/aTask.js';
import { rowsBeneath } from '../results/rowsBeneath.js';

const skillPath = '/skills/one/SKILL.md';
const row = { id: `tasks:${skillPath}:training:lamp`, skillPath, task: 'lamp' };
const gateRow = { id: `gate:${skillPath}:task:lamp`, skillPath, task: 'lamp' };

const diff = 'diff --git a/prices.csv b/prices.csv\n@@ -1 +1 @@\n item\n-19\n+21\n';
const work: KeptAttempt['work'] = {
  events: [
    { kind: 'user', text: 'Raise it.' },
    { kind: 'skill', name: 'one', how: 'tool' },
    { kind: 'tool', name: 'Bash', input: '', output: 'prices.csv', ok: false, command: 'ls' },
    { kind: 'usage', inputTokens: 10, outputTokens: 2 },
    { kind: 'assistant', text: 'Done.' },
    { kind: 'end', ok: true, reason: 'done' },
  ],
  diff,
};
const answer: KeptAttempt = { passed: true, answer: 'Done.', checks: [], work };

describe('a task that an agent works on, in the tree', () => {
  it('opens to its last attempts, and each of them to its steps and what it changed', async () => {
    const nodes = await attemptNodes(row, () =>
      Promise.resolve([
        { ...answer, under: 'no-skill', passed: false },
        { ...answer, under: 'skill' },
        { ...answer, under: 'candidate', work: undefined },
      ]),
    );
    assert.equal(nodes.length, 2, 'an answer of a model has no steps');
    assert.deepEqual(
      nodes.map((node) => [node.row().icon, node.row().description, node.row().state]),
      [
        ['error', 'Steps: 6', 'collapsed'],
        ['pass', 'Steps: 6', 'collapsed'],
      ],
    );
    const steps = await childrenOf(nodes[0]);
    assert.deepEqual(labelsOf(steps), [
      '1. Request: Raise it.',
      '2. Skill: one, loaded',
      '3. Command (failed): ls',
      '4. Tokens: 10 read, 2 written',
      '5. Said: Done.',
      '6. End: by itself',
      'What it changed',
    ]);
    assert.equal(steps[2]?.row().description, 'prices.csv');
    assert.equal(steps[2]?.row().command?.command, 'whetstone.showTask');
    assert.deepEqual(placesOf([...nodes, ...steps.slice(1, 3)]), [
      { attempt: 'no-skill' },
      { attempt: 'skill' },
      { attempt: 'no-skill', at: 1 },
      { attempt: 'no-skill', at: 2 },
    ]);
    const files = await childrenOf(steps.at(-1));
    assert.deepEqual(placesOf(files), [{ attempt: 'no-skill', at: 'changes' }]);
    assert.deepEqual(
      files.map((node) => [node.row().label, node.row().description]),
      [['prices.csv (changed)', '+1 −1']],
    );
  });

  it('says of a text that had only some of the edits which they were', async () => {
    assert.deepEqual(await labelsWith({}), ['With the proposed text: failed']);
    assert.deepEqual(await labelsWith({ edits: ['E1', 'E3'] }), ['With edits E1 and E3: failed']);
  });

  it('says where none is kept, and offers to make one', async () => {
    const [node, ...more] = await attemptNodes(row, () => Promise.resolve([]));
    assert.equal(more.length, 0);
    assert.equal(node?.row().label, 'No attempt of an agent is kept yet');
    assert.equal(node?.row().command?.command, 'whetstone.tryTask');
  });
});

describe('a held-out task under the gate that an agent works on', () => {
  it('opens to its attempts without the edits and with them, which lead to the page of both', async () => {
    const nodes = await gateAttemptNodes(gateRow, () =>
      Promise.resolve([
        { ...answer, side: 'before', number: 1, passed: false },
        { ...answer, side: 'after', number: 1 },
      ]),
    );
    assert.deepEqual(labelsOf(nodes), ['Without the edits: failed', 'With the edits: passed']);
    const steps = await childrenOf(nodes[1]);
    assert.equal(steps.length, 7);
    assert.equal(steps[0]?.row().command?.command, 'whetstone.showAnswers');
    const ids = [...nodes, ...steps, ...(await childrenOf(nodes[0]))].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('is a row that opens; one that a model answers is none', async () => {
    const known = aKnownSkill({});
    assert.ok(known.overview?.tasks !== undefined);
    const agent = { fixture: 'evals/shop', mode: 'offered' } as const;
    const heldOut = [aTask({ id: 't1', environment: 'agent', agent }), aTask({ id: 't2' })];
    const overview = { ...known.overview, tasks: { ...known.overview.tasks, heldOut } };
    const rows = await childrenOf((await rowsBeneath({ ...known, overview })).find(({ id }) => id.startsWith('gate:')));
    const stateOf = (task: string) => rows.find(({ taskId }) => taskId === task)?.row().state;
    assert.deepEqual([stateOf('t1'), stateOf('t2')], ['collapsed', undefined]);
  });

  it('numbers them where there are several, and says where none is left', async () => {
    const nodes = await gateAttemptNodes(gateRow, () =>
      Promise.resolve([1, 2].map((number) => ({ ...answer, side: 'after' as const, number }))),
    );
    assert.deepEqual(labelsOf(nodes), ['1. With the edits: passed', '2. With the edits: passed']);
    const [gone] = await gateAttemptNodes(gateRow, () => Promise.resolve([]));
    assert.match(gone?.row().label ?? '', /kept for 30 days/);
  });
});

/** Where on their pages these rows lead to. */
function placesOf(nodes: readonly TreeNode[]): readonly unknown[] {
  return nodes.map((node) => node.row().command?.arguments?.[0].place);
}

function labelsOf(nodes: readonly TreeNode[]): readonly string[] {
  return nodes.map((node) => node.row().label);
}

async function childrenOf(node: TreeNode | undefined): Promise<readonly TreeNode[]> {
  return (await node?.children()) ?? [];
}

/** The rows of an attempt that failed under another text. */
async function labelsWith(more: { readonly edits?: readonly string[] }): Promise<readonly string[]> {
  const failed = { ...answer, passed: false, under: 'candidate' as const, ...more };
  return labelsOf(await attemptNodes(row, () => Promise.resolve([failed])));
}
