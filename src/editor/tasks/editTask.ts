import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { readEvals } from '../../tasks/readers/readEvals.js';
import { namedHeldOutFile } from '../../tasks/readers/readTasks.js';
import { openTaskFile } from '../../tasks/taskFile.js';
import { atOnce } from '../../tasks/steps.js';
import { taskFile } from './taskFile.js';

/** Opens the file that a task stands in, with the task selected; at its top where no task is named. */
export async function editTask(skillPath: string, taskId?: string): Promise<void> {
  const evals = await vscode.workspace.openTextDocument(taskFile(skillPath, 'evals.json'));
  if (taskId === undefined) {
    await vscode.window.showTextDocument(evals);
    return;
  }
  const found = placeOf(taskId, evals) ?? placeOf(taskId, await heldOutDocument(skillPath));
  if (found === undefined) {
    throw new UserError(
      'tasks-missing',
      vscode.l10n.t('There is no task {0} in the task files of this skill.', taskId),
      vscode.l10n.t('Refresh the view: the files have changed.'),
    );
  }
  const editor = await vscode.window.showTextDocument(found.document);
  editor.selection = new vscode.Selection(found.range.start, found.range.end);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function placeOf(
  taskId: string,
  document: vscode.TextDocument | undefined,
): { readonly document: vscode.TextDocument; readonly range: vscode.Range } | undefined {
  if (document === undefined) return undefined;
  const file = openTaskFile(document.uri.fsPath, document.getText());
  const row = atOnce(readEvals(file, { heldOut: false })).rows.find(({ id }) => id === taskId);
  if (row === undefined) return undefined;
  const range = new vscode.Range(document.positionAt(row.node.start), document.positionAt(row.node.end));
  return { document, range };
}

/** The separate held-out file, where whetstone.json names one. */
async function heldOutDocument(skillPath: string): Promise<vscode.TextDocument | undefined> {
  const uri = taskFile(skillPath, 'whetstone.json');
  const whetstone = await vscode.workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined, // without it there is no such file either
  );
  const name = whetstone === undefined ? undefined : namedHeldOutFile(whetstone.getText(), uri.fsPath);
  return name === undefined ? undefined : vscode.workspace.openTextDocument(taskFile(skillPath, name));
}
