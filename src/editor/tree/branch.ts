import type { Row } from './row.js';
import type { TreeNode } from './treeNode.js';

/**
 * A row that the view holds on to. It stays the same object while what it shows changes, so that the view can be told
 * exactly which rows to draw again.
 */
export class Branch {
  readonly id: string;
  readonly parent: Branch | undefined;
  // Own fields, not getters: commands of a menu are given the row and look for them by name.
  readonly skillPath: string | undefined;
  readonly editId: string | undefined;
  readonly taskId: string | undefined;
  readonly version: string | undefined;
  readonly runId: string | undefined;
  readonly candidateId: string | undefined;
  #node: TreeNode;
  #row: Row;
  #seen: string;
  #children: readonly Branch[] | undefined;

  constructor(node: TreeNode, parent: Branch | undefined) {
    this.id = node.id;
    this.parent = parent;
    this.skillPath = node.skillPath;
    this.editId = node.editId;
    this.taskId = node.taskId;
    this.version = node.version;
    this.runId = node.runId;
    this.candidateId = node.candidateId;
    this.#node = node;
    this.#row = node.row();
    this.#seen = signatureOf(this.#row);
  }

  row(): Row {
    return this.#row;
  }

  /** The rows beneath, made or brought up to date. */
  async load(): Promise<readonly Branch[]> {
    const nodes = await this.#nodesBeneath();
    this.#children = this.#take(nodes).branches;
    return this.#children;
  }

  /** Shows the node's new state. Gives the fewest rows that have to be drawn again for that. */
  async update(node: TreeNode): Promise<readonly Branch[]> {
    this.#node = node;
    this.#row = node.row();
    const seen = signatureOf(this.#row);
    const same = seen === this.#seen;
    this.#seen = seen;
    if (this.#children === undefined) return same ? [] : [this];
    const nodes = await this.#nodesBeneath();
    const before = this.#children;
    const { branches, known } = this.#take(nodes);
    this.#children = branches;
    const changed = await Promise.all(known.map(([branch, next]) => branch.update(next)));
    const sameRows = before.length === branches.length && before.every((branch, index) => branch === branches[index]);
    return same && sameRows ? changed.flat() : [this];
  }

  /** What is beneath the node that is shown by the time it is there: another one may come while the rows are made. */
  async #nodesBeneath(): Promise<readonly TreeNode[]> {
    for (;;) {
      const node = this.#node;
      const nodes = await node.children();
      if (node === this.#node) return nodes;
    }
  }

  /** Rows are known by their id: what was there stays the same object. */
  #take(nodes: readonly TreeNode[]): {
    readonly branches: readonly Branch[];
    readonly known: readonly (readonly [Branch, TreeNode])[];
  } {
    const byId = new Map(this.#children?.map((branch) => [branch.id, branch]));
    const known: (readonly [Branch, TreeNode])[] = [];
    const branches = nodes.map((node) => {
      const branch = byId.get(node.id);
      if (branch === undefined) return new Branch(node, this);
      known.push([branch, node]);
      return branch;
    });
    return { branches, known };
  }
}

/** Functions are left out of it: a tooltip is asked for when it is shown. */
function signatureOf(row: Row): string {
  return JSON.stringify(row);
}
