import * as vscode from 'vscode';
import type { TreeNode } from './treeNode.js';

/** One open folder with the skills in it; shown only where skills of several folders are listed together. */
export function folderNode(folder: string, skills: readonly TreeNode[]): TreeNode {
  const name = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder))?.name ?? folder;
  const count = skills.length === 1 ? vscode.l10n.t('1 skill') : vscode.l10n.t('{0} skills', skills.length);
  return {
    id: `folder:${folder}`,
    row: () => ({
      label: name,
      description: count,
      icon: 'folder',
      state: 'expanded',
      contextValue: 'folder',
      says: vscode.l10n.t('Folder {0} with {1}.', name, count),
      tooltip: () => folder,
    }),
    children: () => Promise.resolve(skills),
  };
}
