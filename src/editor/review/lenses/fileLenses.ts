import * as vscode from 'vscode';
import { priceOrNone } from '../decisions/measure.js';
import { priceText, takenTitle } from '../../../wording/lensTitles.js';
import { shownLine, withIcon, type ShownText } from '../../../wording/shownText.js';
import { lensOf, wordsOf } from '../../shown/lens.js';
import type { Reviews } from '../reviews.js';

/** Says in the skill's own file that what was taken of a proposal is not measured, and offers to measure it. */
export class FileLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #reviews: Reviews;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #disposables: vscode.Disposable;

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
    const fire = (): void => this.#changed.fire();
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      reviews.onDidChange(fire),
      reviews.host.onDidChange(fire),
      vscode.languages.registerCodeLensProvider({ scheme: 'file', pattern: '**/SKILL.md' }, this),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (document.isDirty) return [];
    const { host } = this.#reviews;
    const skillPath = document.uri.fsPath;
    const status = await host.measurement(skillPath);
    const before = status.kind === 'unmeasured' ? await host.unmeasuredBase(skillPath) : undefined;
    if (status.kind !== 'unmeasured' || before === undefined) return [];
    const price = await priceOrNone(host, { skillPath, before, after: document.getText() });
    return [
      lens('whetstone.measureAccepted', withIcon('beaker', vscode.l10n.t('Measure What I Accepted')), skillPath),
      ...(price === undefined ? [] : [wordsOf(firstLine, shownLine(priceText(price)))]),
      wordsOf(firstLine, withIcon('warning', takenTitle(status))),
    ];
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function lens(command: string, title: ShownText, skillPath: string): vscode.CodeLens {
  return lensOf(firstLine, title, { command, arguments: [{ skillPath }] });
}

const firstLine = new vscode.Range(0, 0, 0, 0);
