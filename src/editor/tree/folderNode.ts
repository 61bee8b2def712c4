import * as vscode from 'vscode';
import type { FoundSkill } from '../foundSkill.js';
import type { TreeNode } from './treeNode.js';

/** One open folder with the skills in it; shown only where skills of several folders are listed together. */
export class FolderNode implements TreeNode {
  readonly id: string;
  readonly #folder: string;
  readonly #skills: readonly FoundSkill[];
  readonly #nodeOf: (skill: FoundSkill) => TreeNode;

  constructor(folder: string, skills: readonly FoundSkill[], nodeOf: (skill: FoundSkill) => TreeNode) {
    this.id = `folder:${folder}`;
    this.#folder = folder;
    this.#skills = skills;
    this.#nodeOf = nodeOf;
  }

  item(): vscode.TreeItem {
    const uri = vscode.Uri.file(this.#folder);
    const name = vscode.workspace.getWorkspaceFolder(uri)?.name ?? this.#folder;
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
    const count = this.#skills.length;
    item.id = this.id;
    item.iconPath = vscode.ThemeIcon.Folder;
    item.description = count === 1 ? vscode.l10n.t('1 skill') : vscode.l10n.t('{0} skills', count);
    item.tooltip = this.#folder;
    item.contextValue = 'folder';
    item.accessibilityInformation = { label: vscode.l10n.t('Folder {0} with {1}.', name, item.description) };
    return item;
  }

  children(): Promise<readonly TreeNode[]> {
    return Promise.resolve(this.#skills.map(this.#nodeOf));
  }
}
