import * as vscode from 'vscode';
import type { TaskPlace, TaskProblem } from '../../tasks/taskProblem.js';
import type { SkillOverview } from '../../app/results/overview.js';
import type { Overviews } from '../skills/overviews.js';
import { retold } from '../../wording/translate.js';
import { problemOf } from '../shown/problems.js';
import { skillOfTaskFile } from './taskFile.js';

type Problems = ReadonlyMap<string, readonly vscode.Diagnostic[]>;
const noProblems: Problems = new Map();
const fixtureMs = 2_000;

/** What is shown of one skill: on which files, and what is watched because mending it would change the picture. */
interface SkillProblems {
  /** What was read last; while a run goes on the same is announced many times. */
  readonly overview: SkillOverview | undefined;
  readonly uris: readonly vscode.Uri[];
  readonly watching: vscode.Disposable;
}

/**
 * What a schema cannot say about task files, in the Problems panel. A skill is looked at when one of its task files is
 * opened or saved, and from then on whenever anything about it changes: what was mended disappears.
 */
export class TaskProblems implements vscode.Disposable {
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('whetstone');
  readonly #overviews: Overviews;
  readonly #shown = new Map<string, SkillProblems>();
  readonly #asked = new Map<string, Promise<SkillOverview | undefined>>();
  readonly #disposables: readonly vscode.Disposable[];

  constructor(overviews: Overviews) {
    this.#overviews = overviews;
    this.#disposables = [
      this.#diagnostics,
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#saved(document)),
      overviews.onDidChange((skillPath) => this.#changed(skillPath)),
    ];
    for (const document of vscode.workspace.textDocuments) this.#opened(document);
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
    for (const { watching } of this.#shown.values()) watching.dispose();
  }

  #opened(document: vscode.TextDocument): void {
    const skillPath = skillOfDocument(document);
    if (skillPath !== undefined) void this.#look(skillPath, document.uri);
  }

  #saved(document: vscode.TextDocument): void {
    const skillPath = skillOfDocument(document);
    if (skillPath === undefined) return;
    if (this.#shown.has(skillPath)) this.#overviews.refresh(skillPath);
    else void this.#look(skillPath, document.uri);
  }

  #changed(changed: string | undefined): void {
    for (const [skillPath, { uris }] of this.#shown) {
      if (changed === undefined || changed === skillPath) void this.#look(skillPath, uris[0]);
    }
  }

  async #look(skillPath: string, opened: vscode.Uri | undefined): Promise<void> {
    const asked = this.#overviews.of(skillPath).catch(() => undefined);
    this.#asked.set(skillPath, asked);
    const overview = await asked;
    // An older look that ends later must not bring back what was mended.
    if (this.#asked.get(skillPath) !== asked || this.#isShown(skillPath, overview)) return;
    this.#show(skillPath, overview, opened);
  }

  #show(skillPath: string, overview: SkillOverview | undefined, opened: vscode.Uri | undefined): void {
    const problems = overview === undefined ? noProblems : problemsOf(overview, opened);
    const before = this.#shown.get(skillPath);
    before?.watching.dispose();
    for (const uri of before?.uris ?? []) if (!problems.has(uri.fsPath)) this.#diagnostics.delete(uri);
    for (const [file, found] of problems) this.#diagnostics.set(vscode.Uri.file(file), found);
    const uris = [...problems.keys()].map((file) => vscode.Uri.file(file));
    this.#shown.set(skillPath, {
      overview,
      uris: uris.length > 0 || opened === undefined ? uris : [opened],
      watching: this.#watchFixtures(skillPath, overview),
    });
  }

  #isShown(skillPath: string, overview: SkillOverview | undefined): boolean {
    const shown = this.#shown.get(skillPath);
    return shown !== undefined && overview !== undefined && shown.overview === overview;
  }

  /**
   * A fixture that is missing now may be put there by anybody, without a word to the task file; and on Linux into a
   * folder that VS Code does not watch yet.
   */
  #watchFixtures(skillPath: string, overview: SkillOverview | undefined): vscode.Disposable {
    const wanting = overview?.tasks?.problems.some(({ code }) => code === 'fixture-unusable') === true;
    if (!wanting) return new vscode.Disposable(() => undefined);
    const timer = setInterval(() => {
      const isOpen = vscode.workspace.textDocuments.some((document) => skillOfDocument(document) === skillPath);
      if (isOpen) this.#overviews.refresh(skillPath);
    }, fixtureMs);
    return new vscode.Disposable(() => clearInterval(timer));
  }
}

function skillOfDocument({ uri }: vscode.TextDocument): string | undefined {
  return uri.scheme === 'file' || uri.scheme === 'vscode-remote' ? skillOfTaskFile(uri.fsPath) : undefined;
}

function problemsOf(overview: SkillOverview, opened: vscode.Uri | undefined): Problems {
  const { tasks } = overview;
  if (tasks === undefined) return troubleOf(overview, opened);
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const problem of tasks.problems) {
    const { path } = problem.place;
    byFile.set(path, [...(byFile.get(path) ?? []), diagnosticOf(problem)]);
  }
  return byFile;
}

/** A file that as a whole cannot be read; shown on the file that was opened where it is not known which one it is. */
function troubleOf({ trouble, troubleAt }: SkillOverview, opened: vscode.Uri | undefined): Problems {
  const file = troubleAt?.path ?? opened?.fsPath;
  if (trouble === undefined || file === undefined) return noProblems;
  const range = troubleAt === undefined ? new vscode.Range(0, 0, 0, 1) : rangeOf(troubleAt);
  return new Map([[file, [problemOf(range, retold(trouble), vscode.DiagnosticSeverity.Error, 'malformed')]]]);
}

function diagnosticOf({ place, message, severity, code }: TaskProblem): vscode.Diagnostic {
  const level = severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  return problemOf(rangeOf(place), retold(message), level, code);
}

/** A place of a task file as an editor counts. */
export function rangeOf({ start, end }: TaskPlace): vscode.Range {
  return new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}
