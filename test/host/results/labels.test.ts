import assert from 'node:assert/strict';
import { EditChoices } from '../../../src/editor/tree/editChoices.js';
import { rowItem, withTooltip } from '../../../src/editor/tree/rowItem.js';
import { runNode } from '../../../src/editor/tree/runsTree.js';
import { skillNode, type KnownSkill } from '../../../src/editor/tree/skillNode.js';
import type { TreeNode } from '../../../src/editor/tree/treeNode.js';
import { emptySummary } from '../../../src/engine/runSummary.js';
import { verdictsOfAllKinds, aKnownSkill } from '../../builders/aKnownSkill.js';

/** What a screen reader says of every row, whatever state the skill is in. */
describe('the rows of the tree', () => {
  const states: readonly (readonly [string, KnownSkill])[] = [
    ...verdictsOfAllKinds.map((verdict) => [`pending, ${verdict.kind}`, aKnownSkill({ verdict })] as const),
    ['running', aKnownSkill({ running: true })],
    ['without tasks', aKnownSkill({ tasks: false })],
    ['not looked at', { ...aKnownSkill({}), overview: undefined }],
    ['in trouble', { ...aKnownSkill({}), overview: undefined, trouble: 'The file cannot be read.' }],
    ['resting', aKnownSkill({ pending: false })],
  ];

  for (const [name, known] of states) {
    it(`${name}: each has a stable id of its own and speaks in full sentences`, async () => {
      const rows = await allRows(skillNode(known, new EditChoices(), () => Promise.resolve(known)));
      assert.ok(rows.length > 1, 'there are rows beneath the skill');
      for (const node of rows) assertSpoken(node);
      const ids = rows.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, ids.join('\n'));
      const again = await allRows(skillNode(known, new EditChoices(), () => Promise.resolve(known)));
      assert.deepEqual(
        again.map(({ id }) => id),
        ids,
      );
    });
  }

  for (const outcome of ['running', 'proposed', 'nothing', 'cancelled', 'failed', 'cap'] as const) {
    it(`a run that is ${outcome} says when, what it came to and what it used`, () => {
      const run = {
        ...emptySummary('r1', 0),
        skillName: 'dates',
        outcome,
        reason: outcome === 'running' ? '' : 'Done.',
      };
      assertSpoken(runNode(run, '/skills/dates/SKILL.md'));
    });
  }
});

function assertSpoken(node: TreeNode): void {
  const row = node.row();
  const item = rowItem(node.id, row);
  assert.equal(item.id, node.id);
  const says = item.accessibilityInformation?.label ?? '';
  assert.match(says, /[.!?]$/, `${node.id} does not end a sentence: ${says}`);
  assert.ok(says.split(/\s+/).length >= 3, `${node.id} says too little: ${says}`);
  assert.equal(item.tooltip, undefined, 'tooltips are made when somebody looks');
  assert.ok(withTooltip(item, row).tooltip !== undefined);
}

async function allRows(node: TreeNode): Promise<readonly TreeNode[]> {
  const below = await Promise.all((await node.children()).map(allRows));
  return [node, ...below.flat()];
}
