import * as vscode from 'vscode';
import { shownLine, visibleText } from '../../wording/shownText.js';

/** The one way to show a problem of a file. */
export function problemOf(
  range: vscode.Range,
  message: string,
  level: vscode.DiagnosticSeverity,
  code: string,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range, visibleText(message), level);
  diagnostic.source = 'Whetstone';
  diagnostic.code = code;
  return diagnostic;
}

/** The one way to offer a quick fix. */
export function quickFixOf(title: string): vscode.CodeAction {
  return new vscode.CodeAction(shownLine(title), vscode.CodeActionKind.QuickFix);
}
