import * as vscode from 'vscode';
import { shownLine, visibleText } from '../../wording/shownText.js';
import type { Row } from './row.js';

const colors = {
  passed: 'testing.iconPassed',
  failed: 'testing.iconFailed',
  errored: 'testing.iconErrored',
  skipped: 'testing.iconSkipped',
  queued: 'testing.iconQueued',
} as const;

/** A tree item with icon, words and a sentence: no state is shown by colour alone. Its tooltip comes later. */
export function rowItem(id: string, row: Row): vscode.TreeItem {
  const item = new vscode.TreeItem(shownLine(row.label), stateOf(row));
  item.id = id;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(colors[row.color]),
  );
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: visibleText(row.says) };
  if (row.description !== undefined) item.description = shownLine(row.description);
  if (row.command !== undefined) item.command = row.command;
  if (row.checked !== undefined) item.checkboxState = checkboxOf(row);
  return item;
}

/** Fills in what is only needed when somebody looks. */
export function withTooltip(item: vscode.TreeItem, row: Row): vscode.TreeItem {
  item.tooltip = visibleText(row.tooltip?.() ?? row.says); // a plain text, never Markdown: it may be anybody's
  return item;
}

function stateOf({ state }: Row): vscode.TreeItemCollapsibleState {
  if (state === 'expanded') return vscode.TreeItemCollapsibleState.Expanded;
  return state === 'collapsed' ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
}

function checkboxOf({ checked, label }: Row): NonNullable<vscode.TreeItem['checkboxState']> {
  return {
    state: checked === true ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: vscode.l10n.t('Accept this edit with “Accept Checked Edits”'),
    accessibilityInformation: { label: vscode.l10n.t('Whether {0} is accepted with the checked edits.', label) },
  };
}
