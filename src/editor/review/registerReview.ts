import * as vscode from 'vscode';
import { reportError } from '../reportError.js';
import { BaseTexts } from './documents/baseTexts.js';
import { isCandidate } from './documents/candidateUri.js';
import { filesInReview, type ShownReview } from './filesInReview.js';
import { FileActions } from './lenses/fileActions.js';
import { HiddenMarks } from './lenses/hiddenMarks.js';
import { FileLenses } from './lenses/fileLenses.js';
import { RationaleThreads } from './lenses/rationaleThreads.js';
import { registerReviewCommands } from './reviewCommands.js';
import type { ReviewHost } from './reviewHost.js';
import { ReviewLenses } from './lenses/reviewLenses.js';
import { Reviews } from './reviews.js';
import { hasSeveralFiles } from './showFile.js';

/** Registers the review: documents, lenses, reasons, quick fixes and commands. Nothing is read before it is needed. */
export function registerReview(host: ReviewHost): vscode.Disposable {
  const reviews = new Reviews(host);
  const threads = new RationaleThreads(reviews);
  const bases = new BaseTexts();
  return vscode.Disposable.from(
    reviews,
    threads,
    bases,
    new ReviewLenses(reviews),
    new FileLenses(reviews),
    new HiddenMarks(reviews),
    new FileActions(reviews),
    new ReviewContext(reviews),
    registerReviewCommands({ reviews, threads, bases }),
  );
}

/**
 * Tells menus and keys whether something in the proposal in front can be decided, for one that the gate rejected is only
 * shown, and of one that is decided nothing is left; and whether the next edit may lie in another file.
 */
class ReviewContext implements vscode.Disposable {
  readonly #reviews: Reviews;
  readonly #disposables: vscode.Disposable;
  #turn = 0;

  constructor(reviews: Reviews) {
    this.#reviews = reviews;
    const refresh = (): void => void this.#refresh().catch(reportError);
    this.#disposables = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(refresh),
      vscode.window.tabGroups.onDidChangeTabs(refresh),
      reviews.onDidChange(refresh),
    );
    refresh();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #refresh(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const candidate = candidateInFront();
    const open = candidate === undefined ? undefined : await this.#reviews.ofCandidate(candidate);
    const isLeft = candidate !== undefined && open !== undefined && (await this.#isLeft({ open, candidate }));
    if (turn !== this.#turn) return; // another editor is in front by now
    const canDecide = isLeft && open.review.whyNotAcceptable() === undefined;
    await vscode.commands.executeCommand('setContext', 'whetstone.canDecide', canDecide);
    const severalFiles = isLeft && hasSeveralFiles(open.review);
    await vscode.commands.executeCommand('setContext', 'whetstone.severalFiles', severalFiles);
  }

  /** Whether any file of the proposal has something that nobody decided. */
  async #isLeft(shown: ShownReview): Promise<boolean> {
    const { files } = await filesInReview(this.#reviews, shown);
    return files.some(({ hunks, open: { review } }) => hunks.length + review.memo.lost.length > 0);
  }
}

/** The proposal of the diff in front, whichever of its sides has the focus; in a list of many diffs the one with the focus. */
function candidateInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : vscode.window.activeTextEditor?.document.uri;
  return uri !== undefined && isCandidate(uri) ? uri : undefined;
}
