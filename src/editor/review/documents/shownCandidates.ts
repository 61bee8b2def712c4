import * as vscode from 'vscode';
import { isCandidate } from './candidateUri.js';

/** A tab that shows a proposal against its file. */
export interface ReviewTab {
  readonly tab: vscode.Tab;
  readonly candidate: vscode.Uri;
}

/** The tabs that compare a proposal; also those restored from an earlier session that nobody has looked at yet. */
export function reviewTabs(): readonly ReviewTab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => {
      const { input } = tab;
      if (input instanceof vscode.TabInputTextDiff && isCandidate(input.modified)) {
        return [{ tab, candidate: input.modified }];
      }
      return input instanceof vscode.TabInputText && isCandidate(input.uri) ? [{ tab, candidate: input.uri }] : [];
    });
}

/** True while the proposal is in a tab or on the screen. A list of many diffs is known by its editors alone. */
export function isShown(candidate: vscode.Uri): boolean {
  const wanted = candidate.toString();
  return (
    reviewTabs().some((tab) => tab.candidate.toString() === wanted) ||
    vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === wanted)
  );
}
