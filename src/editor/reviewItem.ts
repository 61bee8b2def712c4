import * as vscode from 'vscode';
import { iconLabel } from '../wording/shownText.js';
import type { SkillCounts } from './tree/registerTrees.js';

/** While proposals wait, an item of its own in the status bar says how many, whatever the nights do; a press opens all of them. */
export class ReviewItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;

  constructor(onDidCount: vscode.Event<SkillCounts>) {
    this.#item = vscode.window.createStatusBarItem('whetstone.waiting', vscode.StatusBarAlignment.Left, -9);
    this.#item.name = vscode.l10n.t('Whetstone Proposals');
    this.#item.command = 'whetstone.reviewAll';
    this.#subscription = onDidCount((counts) => this.#show(counts));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#item.dispose();
  }

  #show({ pending }: SkillCounts): void {
    if (pending === 0) return this.#item.hide();
    const words = vscode.l10n.t('Whetstone: {0} to review', pending);
    this.#item.text = iconLabel('checklist', words);
    this.#item.tooltip = vscode.l10n.t('Proposed edits wait for you. Click to review them.');
    this.#item.accessibilityInformation = { label: words, role: 'button' };
    this.#item.show();
  }
}
