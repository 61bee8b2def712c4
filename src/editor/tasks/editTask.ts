import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { readEvals } from '../../tasks/readEvals.js';
import { openTaskFile } from '../../tasks/taskFile.js';
import { taskFile } from './taskParts.js';

/** Opens the file that a task stands in, with the task selected; at its top where no task is named. */
export async function editTask(skillPath: string, taskId?: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(taskFile(skillPath, 'evals.json'));
  const editor = await vscode.window.showTextDocument(document);
  if (taskId === undefined) return;
  const file = openTaskFile(document.uri.fsPath, document.getText());
  const row = readEvals(file, { heldOut: false }).rows.find(({ id }) => id === taskId);
  if (row === undefined) {
    throw new UserError(
      'tasks-missing',
      vscode.l10n.t('The task {0} does not stand in evals.json.', taskId),
      vscode.l10n.t('It may stand in the separate held-out file that evals/whetstone.json names.'),
    );
  }
  const start = document.positionAt(row.node.start);
  editor.selection = new vscode.Selection(start, document.positionAt(row.node.end));
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
