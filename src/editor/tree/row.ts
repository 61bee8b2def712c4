import * as vscode from 'vscode';

export interface Row {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: string;
  readonly color?: 'passed' | 'failed' | 'errored' | 'skipped' | 'queued' | undefined;
  readonly state?: 'expanded' | 'collapsed' | 'leaf' | undefined;
  readonly contextValue: string;
  /** A full sentence for screen readers. */
  readonly says: string;
  readonly command?: vscode.Command | undefined;
  readonly tooltip?: string | undefined;
}

const colors = {
  passed: 'testing.iconPassed',
  failed: 'testing.iconFailed',
  errored: 'testing.iconErrored',
  skipped: 'testing.iconSkipped',
  queued: 'testing.iconQueued',
} as const;

const states = {
  expanded: vscode.TreeItemCollapsibleState.Expanded,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  leaf: vscode.TreeItemCollapsibleState.None,
} as const;

/** A tree item with icon, words and a sentence: no state is shown by colour alone. */
export function rowItem(row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, states[row.state ?? 'leaf']);
  item.id = row.id;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(colors[row.color]),
  );
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.says };
  if (row.description !== undefined) item.description = row.description;
  if (row.command !== undefined) item.command = row.command;
  if (row.tooltip !== undefined) item.tooltip = row.tooltip;
  return item;
}
