import assert from 'node:assert/strict';
import { Branch } from '../../../../src/editor/tree/branch.js';
import type { TreeNode } from '../../../../src/editor/tree/treeNode.js';

describe('a row of the tree that stays while what it shows changes', () => {
  it('asks for one row to be drawn again when one task changes, however many there are', async () => {
    const before = aSkill(5_000, {});
    const branch = new Branch(before, undefined);
    const [group] = await branch.load();
    await group?.load();
    const changed = await branch.update(aSkill(5_000, { 'task-77': 'disabled' }));
    assert.deepEqual(
      changed.map(({ id }) => id),
      ['task-77'],
    );
    assert.equal(changed[0]?.row().description, 'disabled');
  });

  it('asks for nothing where nothing changed', async () => {
    const branch = new Branch(aSkill(3, {}), undefined);
    await branch.load();
    assert.deepEqual(await branch.update(aSkill(3, {})), []);
  });

  it('keeps the rows that stay when one comes or goes, and draws their parent again', async () => {
    const branch = new Branch(aSkill(3, {}), undefined);
    const [group] = await branch.load();
    const rows = (await group?.load()) ?? [];
    const changed = await branch.update(aSkill(2, {}));
    assert.deepEqual(
      changed.map(({ id }) => id),
      ['tasks'],
    );
    const after = (await group?.load()) ?? [];
    assert.equal(after.length, 2);
    assert.equal(after[0], rows[0]);
  });

  it('draws rows that were never opened only through their parent', async () => {
    const branch = new Branch(aSkill(3, {}), undefined);
    assert.deepEqual(await branch.update(aSkill(3, { 'task-1': 'disabled' })), []);
  });

  it('shows the rows of the newest state where that came while those of an older one were made', async () => {
    const old = slow(aSkill(1, {}));
    const branch = new Branch(old.node, undefined);
    const loading = branch.load();
    assert.deepEqual(await branch.update(aNode('skill', '', [aNode('gate', '', [])])), [], 'its own row is the same');
    old.go();
    assert.deepEqual(
      (await loading).map(({ id }) => id),
      ['gate'],
    );
  });

  it('is not taken back by an older state whose rows are there later', async () => {
    const branch = new Branch(aSkill(1, {}), undefined);
    await branch.load();
    const old = slow(aSkill(1, {}));
    const updating = branch.update(old.node);
    const changed = await branch.update(aNode('skill', '', [aNode('gate', '', [])]));
    old.go();
    assert.deepEqual([changed, await updating].flat(), [branch]);
    assert.deepEqual(
      (await branch.load()).map(({ id }) => id),
      ['gate'],
    );
  });

  it('knows its parent and carries what commands look for as fields of its own', async () => {
    const branch = new Branch(aSkill(1, {}), undefined);
    const [group] = await branch.load();
    const [task] = (await group?.load()) ?? [];
    assert.equal(task?.parent?.parent, branch);
    assert.equal(new Map(Object.entries(task ?? {})).get('taskId'), 'task-0');
  });
});

function aSkill(tasks: number, words: Readonly<Record<string, string>>): TreeNode {
  const rows = Array.from({ length: tasks }, (_, index) => {
    const id = `task-${index}`;
    return aNode(id, words[id] ?? '', [], { taskId: id });
  });
  return aNode('skill', '', [aNode('tasks', '', rows)]);
}

/** The same node, whose rows are made once it is let go. */
function slow(node: TreeNode): { readonly node: TreeNode; readonly go: () => void } {
  const waiting: (() => void)[] = [];
  const gone = new Promise<void>((resolve) => waiting.push(resolve));
  return {
    node: { ...node, children: () => gone.then(() => node.children()) },
    go: () => waiting.forEach((resolve) => resolve()),
  };
}

function aNode(id: string, description: string, children: readonly TreeNode[], more: Partial<TreeNode> = {}): TreeNode {
  return {
    id,
    ...more,
    row: () => ({ label: id, description, icon: 'dash', contextValue: 'row', says: `The row ${id}.` }),
    children: () => Promise.resolve(children),
  };
}
