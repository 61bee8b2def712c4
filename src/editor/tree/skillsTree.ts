import * as vscode from 'vscode';
import type { FoundSkill } from '../foundSkill.js';
import type { SkillCatalog } from '../skillCatalog.js';
import { FolderNode } from './folderNode.js';
import { SkillNode } from './skillNode.js';
import type { TreeNode } from './treeNode.js';

/** The skills of the open folders, grouped by folder where there are several. */
export class SkillsTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<TreeNode | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #catalog: SkillCatalog;
  readonly #subscription: vscode.Disposable;

  constructor(catalog: SkillCatalog) {
    this.#catalog = catalog;
    this.#subscription = catalog.onDidChange(() => this.#changed.fire(undefined));
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.item();
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    return [...(node === undefined ? await this.#roots() : await node.children())];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #roots(): Promise<readonly TreeNode[]> {
    const skills = await this.#catalog.skills();
    const nodeOf = (skill: FoundSkill): TreeNode => new SkillNode(skill);
    const folders = [...new Set(skills.map((skill) => skill.workspaceFolder))];
    const several = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
    if (!several) return skills.map(nodeOf);
    return folders.map(
      (folder) =>
        new FolderNode(
          folder,
          skills.filter((skill) => skill.workspaceFolder === folder),
          nodeOf,
        ),
    );
  }
}
