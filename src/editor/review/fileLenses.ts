import * as vscode from 'vscode';
import { priceOrNone } from './measure.js';
import { priceText, takenTitle, withIcon } from './lensTitles.js';
import type { Reviews } from './reviews.js';
import { standingInFile } from './standingInFile.js';
import type { Standings } from './standings.js';

/** Says in the skill's own file that what was taken of a proposal is not measured, and offers to measure it. */
export class FileLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #reviews: Reviews;
  readonly #standings: Standings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #disposables: vscode.Disposable;

  constructor(reviews: Reviews, standings: Standings) {
    this.#reviews = reviews;
    this.#standings = standings;
    const fire = (): void => this.#changed.fire();
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      reviews.onDidChange(fire),
      reviews.host.onDidChange(fire),
      standings.onDidChange(fire),
      vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern: '**/SKILL.md' }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const skillPath = document.uri.fsPath;
    const text = document.getText();
    const kept = await standingInFile(this.#standings, this.#reviews.host, document);
    if (kept?.standing.kind !== 'unmeasured') return [];
    const price = await priceOrNone(this.#reviews.host, { skillPath, before: kept.before, after: text });
    const measure = `${vscode.l10n.t('Measure What I Accepted')}${priceText(price)}`;
    return [
      lens('whetstone.measureAccepted', withIcon('warning', takenTitle(kept.standing)), skillPath),
      lens('whetstone.measureAccepted', withIcon('beaker', measure), skillPath),
    ];
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function lens(command: string, title: string, skillPath: string): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { command, title, arguments: [{ skillPath }] });
}
