import * as vscode from 'vscode';
import type { ShownText } from '../../wording/shownText.js';

/** The one way to make a lens. Its title is text that forms no icon but ours: the type says so. */
export function lensOf(range: vscode.Range, title: ShownText, call: Omit<vscode.Command, 'title'>): vscode.CodeLens {
  return new vscode.CodeLens(range, { ...call, title });
}

/** Words between the buttons: nothing to press, so that nothing is lost where a narrow window cuts the row. */
export function wordsOf(range: vscode.Range, title: ShownText): vscode.CodeLens {
  return new vscode.CodeLens(range, { command: '', title });
}
