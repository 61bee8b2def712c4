import type { Row } from './row.js';

/** One row of a tree as it is now. Its id is stable, so that what the person expanded stays expanded after a refresh. */
export interface TreeNode {
  readonly id: string;
  /** The skill that the row belongs to, for the commands of its menu. */
  readonly skillPath?: string | undefined;
  /** The edit that the row is about, if it is about one. */
  readonly editId?: string | undefined;
  /** The task that the row is about, if it is about one. */
  readonly taskId?: string | undefined;
  /** The version of the skill that the row is about, if it is about one. */
  readonly version?: string | undefined;
  /** The run that the row is about, if it is about one. */
  readonly runId?: string | undefined;
  /** The candidate of a proposal that the row is about, if it is about one. */
  readonly candidateId?: string | undefined;
  row(): Row;
  children(): Promise<readonly TreeNode[]>;
}

/** A row without rows beneath it. */
export const noChildren = (): Promise<readonly TreeNode[]> => Promise.resolve([]);
