import * as vscode from 'vscode';
import type { LintFinding } from '../../skill/lint/lintFinding.js';
import { reportError } from '../reportError.js';
import { saidAlready } from '../../skill/lint/saidAlready.js';
import { retold } from '../../wording/translate.js';
import { problemOf, quickFixOf } from '../shown/problems.js';

export type LintText = (text: string, folderName: string) => Promise<readonly LintFinding[]>;

const afterTypingMs = 400;
const source = 'Whetstone';

/**
 * What is wrong with an open SKILL.md by the public specification, in the Problems panel, with quick fixes. Quiet where
 * VS Code or another extension already says something about the same line.
 */
export class SkillProblems implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('whetstone-skill');
  readonly #lint: LintText;
  readonly #found = new Map<string, readonly FoundProblem[]>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(lint: LintText) {
    this.#lint = lint;
    this.#disposables = [
      this.#diagnostics,
      vscode.workspace.onDidOpenTextDocument((document) => this.#soon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#soon(document, afterTypingMs)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) this.#show(uri);
      }),
      vscode.languages.registerCodeActionsProvider({ pattern: '**/SKILL.md' }, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    ];
    for (const document of vscode.workspace.textDocuments) this.#soon(document, 0);
  }

  /** A fix is offered for whoever says the problem: ours, or VS Code's own word for the same. */
  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const found = this.#found.get(document.uri.toString()) ?? [];
    return found.flatMap(({ finding, diagnostic }) => {
      if (finding.fix === undefined || diagnostic.range.intersection(range) === undefined) return [];
      const said = diagnostics.filter((each) => isSame(diagnostic, each) || saidAlready(diagnostic, [each]));
      return [fixOf(document, said, finding.fix)];
    });
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #soon(document: vscode.TextDocument, ms: number): void {
    if (!isSkill(document.uri)) return;
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#look(document).catch(reportError), ms),
    );
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    if (document.isClosed) return;
    const { version } = document;
    const folderName = document.uri.path.split('/').at(-2) ?? '';
    const findings = await this.#lint(document.getText(), folderName);
    if (document.isClosed || document.version !== version) return;
    this.#found.set(
      document.uri.toString(),
      findings.map((finding) => ({ finding, diagnostic: diagnosticOf(document, finding) })),
    );
    this.#show(document.uri);
  }

  /** Shows what nobody else says. Only a change is set: setting fires the event that leads here. */
  #show(uri: vscode.Uri): void {
    const found = this.#found.get(uri.toString());
    if (found === undefined) return;
    const others = vscode.languages.getDiagnostics(uri).filter((each) => each.source !== source);
    const shown = found
      .filter(({ finding, diagnostic }) => !saidAlready({ range: diagnostic.range, message: finding.message }, others))
      .map(({ diagnostic }) => diagnostic);
    const before = this.#diagnostics.get(uri) ?? [];
    const same = before.length === shown.length && shown.every((each, index) => isSame(each, before[index]));
    if (!same) this.#diagnostics.set(uri, shown);
  }

  #forget(uri: vscode.Uri): void {
    this.#found.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }
}

interface FoundProblem {
  readonly finding: LintFinding;
  readonly diagnostic: vscode.Diagnostic;
}

function isSkill(uri: vscode.Uri): boolean {
  return (uri.scheme === 'file' || uri.scheme === 'vscode-remote') && uri.path.endsWith('/SKILL.md');
}

function diagnosticOf(
  document: vscode.TextDocument,
  { span, message, severity, rule }: LintFinding,
): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Information;
  return problemOf(range, retold(message), level, rule);
}

function fixOf(
  document: vscode.TextDocument,
  diagnostics: vscode.Diagnostic[],
  { title, span, text }: NonNullable<LintFinding['fix']>,
): vscode.CodeAction {
  const action = quickFixOf(retold(title));
  action.diagnostics = diagnostics;
  action.isPreferred = true;
  action.edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(span.start), document.positionAt(span.end));
  action.edit.replace(document.uri, range, text);
  return action;
}

function isSame(a: vscode.Diagnostic, b: vscode.Diagnostic | undefined): boolean {
  return b !== undefined && a.code === b.code && a.message === b.message && a.range.isEqual(b.range);
}
