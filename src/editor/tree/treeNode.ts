import type * as vscode from 'vscode';

/** One row of a tree. Its id is stable, so that what the person expanded stays expanded after a refresh. */
export interface TreeNode {
  readonly id: string;
  /** The skill that the row belongs to, for the commands of its menu. */
  readonly skillPath?: string | undefined;
  /** The edit that the row is about, if it is about one. */
  readonly editId?: string | undefined;
  /** The task that the row is about, if it is about one. */
  readonly taskId?: string | undefined;
  item(): vscode.TreeItem;
  children(): Promise<readonly TreeNode[]>;
}

/** A row without rows beneath it. */
export const noChildren = (): Promise<readonly TreeNode[]> => Promise.resolve([]);
