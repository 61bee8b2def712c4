import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import { withIcon, type ShownText } from '../../wording/shownText.js';
import { lensOf } from '../shown/lens.js';
import type { Overviews } from './overviews.js';
import type { SkillCatalog } from './skillCatalog.js';

const settledMs = 1_000;

/** One quiet lens on the first line of every SKILL.md: optimize, or review what waits. */
export class SkillLens implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #overviews: Overviews;
  readonly #catalog: Pick<SkillCatalog, 'pathOf'>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #settled: ReturnType<typeof setTimeout> | undefined;

  constructor(overviews: Overviews, catalog: Pick<SkillCatalog, 'pathOf'>) {
    this.#overviews = overviews;
    this.#catalog = catalog;
    this.#subscription = overviews.onDidChange(() => this.#tell());
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const top = new vscode.Range(0, 0, 0, 0);
    const skillPath = await this.#catalog.pathOf(document.uri.fsPath); // the file may be opened through a link
    const lens = (
      title: ShownText,
      command: 'whetstone.showSkill' | 'whetstone.optimize' | 'whetstone.review',
    ): vscode.CodeLens => lensOf(top, title, commandLink(command, title, skillPath));
    if (this.#overviews.running(skillPath) !== undefined) {
      return [lens(withIcon('sync~spin', vscode.l10n.t('Optimizing…')), 'whetstone.showSkill')];
    }
    const pending = await this.#overviews.of(skillPath).then(
      (overview) => overview.pending,
      () => undefined,
    );
    const optimize = lens(withIcon('mortar-board', vscode.l10n.t('Optimize This Skill')), 'whetstone.optimize');
    if (pending === undefined) return [optimize];
    const open = pending.proposal.documents
      .flatMap((each) => each.edits)
      .filter(({ id }) => pending.decisions[id] === undefined);
    const review =
      open.length === 1
        ? vscode.l10n.t('Review 1 Proposed Edit')
        : vscode.l10n.t('Review {0} Proposed Edits', open.length);
    return [lens(withIcon('diff', review), 'whetstone.review'), optimize];
  }

  /** Once more when all has come to rest: a change that comes while a busy window is asking may go unheard. */
  #tell(): void {
    this.#changed.fire();
    clearTimeout(this.#settled);
    this.#settled = setTimeout(() => this.#changed.fire(), settledMs);
  }

  dispose(): void {
    clearTimeout(this.#settled);
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}
