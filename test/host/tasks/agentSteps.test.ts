import assert from 'node:assert/strict';
import { attemptNodes } from '../../../src/editor/tree/stepNodes.js';

const row = { skillPath: '/skills/one/SKILL.md', side: 'training', task: 'lamp' };

describe('a task that an agent works on, in the tree', () => {
  it('opens to its last attempts, and each of them to its steps', async () => {
    const work = { steps: [{ did: 'shell ls', result: 'prices.csv' }], diff: '' };
    const answer = { passed: true, answer: 'Done.', checks: [] };
    const nodes = await attemptNodes(row, () =>
      Promise.resolve([
        { ...answer, under: 'no-skill', passed: false, work },
        { ...answer, under: 'skill', work },
        { ...answer, under: 'candidate' },
      ]),
    );
    assert.equal(nodes.length, 2, 'an answer of a model has no steps');
    assert.deepEqual(
      nodes.map((node) => [node.row().icon, node.row().description, node.row().state]),
      [
        ['error', 'Steps: 1', 'collapsed'],
        ['pass', 'Steps: 1', 'collapsed'],
      ],
    );
    const [step] = (await nodes[0]?.children()) ?? [];
    assert.deepEqual([step?.row().label, step?.row().description], ['1. shell ls', 'prices.csv']);
  });

  it('says where none is kept, and offers to make one', async () => {
    const [node, ...more] = await attemptNodes(row, () => Promise.resolve([]));
    assert.equal(more.length, 0);
    assert.equal(node?.row().label, 'No attempt of an agent is kept yet');
    assert.equal(node?.row().command?.command, 'whetstone.tryTask');
  });
});
