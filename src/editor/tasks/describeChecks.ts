import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { TaskProblem } from '../../tasks/taskProblem.js';
import { refuseUnsaved, type TaskParts } from './taskParts.js';
import { rangeOf } from './taskProblems.js';

/**
 * The command “Describe Checks”: opens the first check whose demand the optimizer is not told, of one task or of all,
 * with a field for the words and the cursor in it. Nothing is saved: that is up to the person.
 */
export async function describeChecks(
  skillPath: string,
  taskId: string | undefined,
  { overviews }: Pick<TaskParts, 'overviews'>,
): Promise<void> {
  refuseUnsaved(skillPath);
  const problem = await firstUndescribed(skillPath, taskId, overviews);
  if (problem === undefined) throw new UserError('usage', vscode.l10n.t('Every check of this skill is described.'), '');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(problem.place.path));
  const editor = await vscode.window.showTextDocument(document);
  const range = document.validateRange(rangeOf(problem.place));
  if (document.getText(range).startsWith('{')) {
    const at = range.start.translate(0, 1);
    await editor.insertSnippet(fieldAt(document, at), at);
  } else {
    editor.selection = new vscode.Selection(range.start.translate(0, 1), range.end.translate(0, -1));
  }
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Training tasks first: only they are learned from. */
async function firstUndescribed(
  skillPath: string,
  taskId: string | undefined,
  overviews: TaskParts['overviews'],
): Promise<TaskProblem | undefined> {
  const { tasks } = await overviews.of(skillPath);
  const training = new Set((tasks?.training ?? []).map(({ id }) => id));
  const found = (tasks?.problems ?? []).filter(
    (problem) => problem.code === 'not-described' && (taskId === undefined || problem.taskId === taskId),
  );
  return found.find((problem) => training.has(problem.taskId ?? '')) ?? found[0];
}

/** An empty field on a line of its own, where the fields of the check stand on lines of their own. */
function fieldAt(document: vscode.TextDocument, at: vscode.Position): vscode.SnippetString {
  const isLast = at.character === document.lineAt(at.line).text.trimEnd().length;
  const lead = isLast ? '\n\t' : '';
  return new vscode.SnippetString(`${lead}"criterion": "`).appendTabstop(0).appendText(isLast ? '",' : '", ');
}
