import * as vscode from 'vscode';
import { reportError } from '../reportError.js';
import { isCandidate } from './candidateUri.js';
import type { Reviews } from './reviews.js';

/** Tells menus and keys whether the proposal in front can be decided: one that the gate rejected is only shown. */
export class ReviewContext implements vscode.Disposable {
  readonly #reviews: Reviews;
  readonly #disposables: vscode.Disposable;

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
    const refresh = (): void => void this.#refresh().catch(reportError);
    this.#disposables = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(refresh),
      reviews.onDidChange(refresh),
    );
    refresh();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #refresh(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const open = uri !== undefined && isCandidate(uri) ? await this.#reviews.ofCandidate(uri) : undefined;
    const canDecide = open !== undefined && open.review.whyNotAcceptable() === undefined;
    await vscode.commands.executeCommand('setContext', 'whetstone.canDecide', canDecide);
  }
}
