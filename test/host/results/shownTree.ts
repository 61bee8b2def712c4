import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { until } from '../until.js';

/** What test/fixtures/rowExtension gives: a tree with one row. */
export interface RowExtension extends vscode.TreeDataProvider<object> {
  readonly row: object;
  change(): void;
}

const quietMs = 300; // longer than anything waits before it draws

/** VS Code knows no row while it asks for all of them anew, as it does once a view has become visible. */
async function revealed<Row>(view: vscode.TreeView<Row>, row: Row, tries = 5): Promise<void> {
  try {
    await view.reveal(row, { select: false });
  } catch (error) {
    if (tries === 1 || !/Data tree node not found/.test(String(error))) throw error;
    await wait(quietMs);
    await revealed(view, row, tries - 1);
  }
}

/** A tree in a view of VS Code's window, which notes what is asked of it. */
export class ShownTree<Row extends object> implements vscode.Disposable {
  readonly paintMs: number;
  readonly #view: vscode.TreeView<Row>;
  readonly #drawn: () => readonly number[];

  private constructor(view: vscode.TreeView<Row>, drawn: () => readonly number[], paintMs: number) {
    this.#view = view;
    this.#drawn = drawn;
    this.paintMs = paintMs;
  }

  /** Resolves when its first row is on the screen. */
  static async show<Row extends object>(tree: vscode.TreeDataProvider<Row>): Promise<ShownTree<Row>> {
    const drawn: number[] = [];
    const watched: vscode.TreeDataProvider<Row> = {
      ...(tree.onDidChangeTreeData === undefined ? {} : { onDidChangeTreeData: tree.onDidChangeTreeData }),
      getChildren: (row) => tree.getChildren(row),
      getParent: (row) => tree.getParent?.(row),
      getTreeItem: (row) => {
        drawn.push(performance.now());
        return tree.getTreeItem(row);
      },
    };
    const started = performance.now();
    const view = vscode.window.createTreeView('whetstone-tests.rows', { treeDataProvider: watched });
    await vscode.commands.executeCommand('whetstone-tests.rows.focus');
    const [first] = (await tree.getChildren()) ?? [];
    if (first === undefined) throw new Error('the tree is empty');
    await revealed(view, first);
    return new ShownTree(view, () => drawn, performance.now() - started);
  }

  async reveal(row: Row): Promise<void> {
    await revealed(this.#view, row);
    await this.#comesToRest();
  }

  /** How many rows VS Code asks for again after a change, and how long until the first. */
  async redraws(change: () => void): Promise<{ readonly updateMs: number; readonly redrawn: number }> {
    const before = this.#drawn().length;
    const started = performance.now();
    change();
    await until(() => this.#drawn().length > before, 'something is drawn again');
    const updateMs = (this.#drawn()[before] ?? started) - started;
    await this.#comesToRest();
    return { updateMs, redrawn: this.#drawn().length - before };
  }

  dispose(): void {
    this.#view.dispose();
  }

  async #comesToRest(): Promise<void> {
    for (let seen = -1; seen !== this.#drawn().length;) {
      seen = this.#drawn().length;
      await wait(quietMs);
    }
  }
}
