import * as vscode from 'vscode';
import type { TaskProblem } from '../../tasks/taskProblem.js';
import type { SkillOverview } from '../../workshop/workshop.js';
import type { Overviews } from '../overviews.js';

/** What a schema cannot say about task files, in the Problems panel. Looked at when such a file is opened or saved. */
export class TaskProblems implements vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('whetstone');
  readonly #overviews: Overviews;
  readonly #shown = new Map<string, readonly vscode.Uri[]>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(overviews: Overviews) {
    this.#overviews = overviews;
    this.#disposables = [
      this.#diagnostics,
      vscode.workspace.onDidOpenTextDocument((document) => void this.#look(document)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.#look(document)),
    ];
    for (const document of vscode.workspace.textDocuments) void this.#look(document);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #look(document: vscode.TextDocument): Promise<void> {
    const skillPath = skillOfTaskFile(document.uri.fsPath);
    if (skillPath === undefined || document.uri.scheme === 'git') return;
    this.#overviews.refresh(skillPath);
    const overview = await this.#overviews.of(skillPath).catch(() => undefined);
    if (overview !== undefined) this.#show(skillPath, overview, document.uri);
  }

  #show(skillPath: string, { tasks, trouble }: SkillOverview, opened: vscode.Uri): void {
    for (const uri of this.#shown.get(skillPath) ?? []) this.#diagnostics.delete(uri);
    if (tasks === undefined) {
      const top = new vscode.Range(0, 0, 0, 0);
      this.#diagnostics.set(opened, [new vscode.Diagnostic(top, trouble ?? '', vscode.DiagnosticSeverity.Error)]);
      this.#shown.set(skillPath, [opened]);
      return;
    }
    const files = [...new Set(tasks.problems.map((problem) => problem.place.path))];
    for (const file of files) {
      const problems = tasks.problems.filter((problem) => problem.place.path === file);
      this.#diagnostics.set(vscode.Uri.file(file), problems.map(diagnosticOf));
    }
    this.#shown.set(
      skillPath,
      files.map((file) => vscode.Uri.file(file)),
    );
  }
}

/** `.../evals/evals.json` and `.../evals/whetstone.json` belong to the SKILL.md one folder up. */
export function skillOfTaskFile(file: string): string | undefined {
  const match = /^(.*)[\\/]evals[\\/](?:evals|whetstone)\.json$/.exec(file);
  return match?.[1] === undefined ? undefined : `${match[1]}/SKILL.md`;
}

function diagnosticOf({ place, message, severity, code }: TaskProblem): vscode.Diagnostic {
  const range = new vscode.Range(
    place.start.line - 1,
    place.start.column - 1,
    place.end.line - 1,
    place.end.column - 1,
  );
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(range, message, level);
  diagnostic.source = 'Whetstone';
  diagnostic.code = code;
  return diagnostic;
}
