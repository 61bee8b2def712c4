import * as vscode from 'vscode';
import { shownLine } from '../../wording/shownText.js';
import { closedSides, standingWords, type TaskStanding } from '../../wording/taskWords.js';
import { lensOf, wordsOf } from '../shown/lens.js';
import type { Overviews } from '../skills/overviews.js';
import type { UseCasesSource } from '../workbench.js';
import { standingsOf, taskActions } from './taskActions.js';
import { skillOfTaskFile } from './taskFile.js';

const longestText = 1_000_000; // characters; it is read again at every pause in typing
const mostRows = 300; // tasks with a row of buttons: an editor with thousands of lenses is slow to scroll

/** A row of buttons at each task of an `evals.json`, and whether and where the task counts. */
export class TaskLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #overviews: Overviews;
  readonly #useCases: UseCasesSource;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor(overviews: Overviews, useCases: UseCasesSource) {
    this.#overviews = overviews;
    this.#useCases = useCases;
    this.#subscription = overviews.onDidChange(() => this.#changed.fire());
  }

  register(): vscode.Disposable {
    const files = ['file', 'vscode-remote'].map((scheme) => ({ scheme, pattern: '**/evals/evals.json' }));
    return vscode.Disposable.from(this, vscode.languages.registerCodeLensProvider(files, this));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const skillPath = skillOfTaskFile(document.uri.fsPath);
    if (skillPath === undefined) return [];
    const text = document.getText();
    if (text.length > longestText)
      return [atTop(vscode.l10n.t('The tasks of this long file have their buttons in the Whetstone view.'))];
    const overview = await this.#overviews.of(skillPath).catch(() => undefined);
    if (overview?.tasks === undefined) return [];
    const standings = standingsOf(overview.tasks);
    const tasks = (await this.#useCases()).tasksIn(text);
    return [
      ...(tasks.length > mostRows ? [moreTasks(tasks.length)] : []),
      ...tasks.slice(0, mostRows).flatMap(({ id, start }) => {
        const standing = standings.get(id); // a task that is not saved yet has none
        const at = document.positionAt(start);
        return standing === undefined ? [] : rowOf(new vscode.Range(at, at), { skillPath, taskId: id }, standing);
      }),
    ];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function rowOf(
  range: vscode.Range,
  choice: { readonly skillPath: string; readonly taskId: string },
  standing: TaskStanding,
): readonly vscode.CodeLens[] {
  const [why] = standing.moves.to.every(({ refused }) => refused !== undefined) ? closedSides(standing) : [];
  const said = why === undefined ? standingWords(standing) : `${standingWords(standing)} · ${why}`;
  return [
    ...taskActions(choice, standing).map((action) => lensOf(range, shownLine(action.title), action)),
    wordsOf(range, shownLine(said, 160)),
  ];
}

function moreTasks(count: number): vscode.CodeLens {
  const words = vscode.l10n.t(
    'The first {0} of {1} tasks have their buttons here, all of them in the Whetstone view.',
    mostRows,
    count,
  );
  return atTop(words);
}

function atTop(words: string): vscode.CodeLens {
  return wordsOf(new vscode.Range(0, 0, 0, 0), shownLine(words));
}
