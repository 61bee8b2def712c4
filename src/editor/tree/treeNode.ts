import type * as vscode from 'vscode';

/** One row of a tree. Its id is stable, so that what the person expanded stays expanded after a refresh. */
export interface TreeNode {
  readonly id: string;
  item(): vscode.TreeItem;
  children(): Promise<readonly TreeNode[]>;
}
