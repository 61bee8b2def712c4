import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import { quickFixOf } from '../shown/problems.js';
import { skillOfTaskFile } from './taskFile.js';

/** A cure at hand for problems that one click can mend. */
export class TaskFixes implements vscode.CodeActionProvider {
  register(): vscode.Disposable {
    const files = ['file', 'vscode-remote'].map((scheme) => ({ scheme, pattern: '**/evals/whetstone.json' }));
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    return vscode.languages.registerCodeActionsProvider(files, this, kinds);
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const skillPath = skillOfTaskFile(document.uri.fsPath);
    if (skillPath === undefined) return [];
    return diagnostics.flatMap((diagnostic) => {
      const taskId = /“(.+?)”/u.exec(diagnostic.message)?.[1];
      if (diagnostic.source !== 'Whetstone' || diagnostic.code !== 'task-changed' || taskId === undefined) return [];
      const title = vscode.l10n.t('The checks of {0} still fit', taskId);
      const action = quickFixOf(title);
      action.diagnostics = [diagnostic];
      action.command = commandLink('whetstone.keepChecks', title, { skillPath, taskId });
      return [action];
    });
  }
}
