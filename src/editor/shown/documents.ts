import * as vscode from 'vscode';
import { shownLine } from '../../wording/shownText.js';

/** The one way to open two texts beside each other. `how` may keep it in a tab of its own, or put the cursor somewhere. */
export async function openDiff(
  before: vscode.Uri,
  after: vscode.Uri,
  title: string,
  how: Pick<vscode.TextDocumentShowOptions, 'preview' | 'selection'> = {},
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', before, after, shownLine(title), { preview: true, ...how });
}

/** The same for several pairs: of each the document itself, then its two texts. */
export async function openDiffs(
  title: string,
  rows: readonly (readonly [vscode.Uri, vscode.Uri, vscode.Uri])[],
): Promise<void> {
  await vscode.commands.executeCommand('vscode.changes', shownLine(title), rows);
}
