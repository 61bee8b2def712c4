import * as vscode from 'vscode';
import type { TaskChoice } from '../commands/commands.js';
import { commandLink, type CommandLink } from '../commands/runCommand.js';
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
      const link = taskId === undefined ? undefined : cureOf(diagnostic, { skillPath, taskId });
      if (link === undefined) return [];
      const action = quickFixOf(link.title);
      action.diagnostics = [diagnostic];
      action.command = link;
      return [action];
    });
  }
}

function cureOf({ source, code }: vscode.Diagnostic, task: TaskChoice): CommandLink | undefined {
  if (source !== 'Whetstone') return undefined;
  if (code === 'task-changed')
    return commandLink('whetstone.keepChecks', vscode.l10n.t('The checks of {0} still fit', task.taskId), task);
  if (code === 'not-described')
    return commandLink('whetstone.describeChecks', vscode.l10n.t('Describe what this check demands'), task);
  return undefined;
}
