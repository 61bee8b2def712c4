import * as vscode from 'vscode';
import type { FoundSkill } from '../foundSkill.js';
import type { Overviews } from '../overviews.js';
import type { SkillCatalog } from '../skillCatalog.js';
import { FolderNode } from './folderNode.js';
import { SkillNode } from './skillNode.js';
import type { TreeNode } from './treeNode.js';

/** The skills of the open folders, grouped by folder where there are several. */
export class SkillsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #counted = new vscode.EventEmitter<number>();
  /** How many skills have a proposal that waits. */
  readonly onDidCountPending = this.#counted.event;
  readonly #catalog: SkillCatalog;
  readonly #overviews: Overviews;
  readonly #nodes = new Map<string, SkillNode>();
  readonly #parents = new Map<string, TreeNode>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(catalog: SkillCatalog, overviews: Overviews) {
    this.#catalog = catalog;
    this.#overviews = overviews;
    this.#disposables = [
      this.#changed,
      this.#counted,
      catalog.onDidChange(() => this.#changed.fire(undefined)),
      overviews.onDidChange((skillPath) => void this.#update(skillPath)),
    ];
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.item();
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    const children = node === undefined ? await this.#roots() : await node.children();
    for (const child of children) if (node !== undefined) this.#parents.set(child.id, node);
    return [...children];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return this.#parents.get(node.id);
  }

  /** The row of a skill, for reveal. */
  async nodeOf(skillPath: string): Promise<SkillNode | undefined> {
    await this.#roots();
    return this.#nodes.get(skillPath);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #roots(): Promise<readonly TreeNode[]> {
    const skills = await this.#catalog.skills();
    const nodes = skills.map((skill) => this.#node(skill));
    void this.#lookAt(nodes);
    if ((vscode.workspace.workspaceFolders?.length ?? 0) < 2) return nodes;
    const folders = [...new Set(skills.map((skill) => skill.workspaceFolder))];
    const folderNodes = folders.map((folder) => {
      const inside = skills.filter((skill) => skill.workspaceFolder === folder);
      return new FolderNode(folder, inside, (skill) => this.#node(skill));
    });
    return folderNodes;
  }

  #node(skill: FoundSkill): SkillNode {
    const node = this.#nodes.get(skill.realPath) ?? new SkillNode(skill, this.#overviews);
    this.#nodes.set(skill.realPath, node);
    return node;
  }

  /** Fills in where each skill stands after the rows are painted, and redraws only the rows that changed. */
  async #lookAt(nodes: readonly SkillNode[]): Promise<void> {
    for (const node of nodes) {
      const before = node.item().description;
      await node.look();
      if (node.item().description !== before) this.#changed.fire(node);
    }
    this.#counted.fire([...this.#nodes.values()].filter((node) => node.pending).length);
  }

  async #update(skillPath: string | undefined): Promise<void> {
    const node = skillPath === undefined ? undefined : this.#nodes.get(skillPath);
    if (node === undefined) {
      await this.#lookAt([...this.#nodes.values()]);
      this.#changed.fire(undefined);
      return;
    }
    if (this.#overviews.running(node.skillPath) === undefined) await node.look();
    this.#changed.fire(node);
    this.#counted.fire([...this.#nodes.values()].filter((each) => each.pending).length);
  }
}
