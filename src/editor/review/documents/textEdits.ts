import * as vscode from 'vscode';
import type { LineRange } from '../../../skill/edits/hunks.js';
import { alignedHunks } from '../../../skill/edits/alignedHunks.js';
import { plainText } from '../../../review/proposalTexts.js';

/** Whole lines of a document; past its last line, its end. */
export function rangeOf(document: vscode.TextDocument, { start, end }: LineRange): vscode.Range {
  return new vscode.Range(startOfLine(document, start), startOfLine(document, end));
}

/** Turns the document into the text by changing only the lines that differ. */
export function rewrite(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, text: string): void {
  for (const { before, afterText } of alignedHunks(plainText(document.getText()), text)) {
    edit.replace(document.uri, rangeOf(document, before), afterText);
  }
}

function startOfLine(document: vscode.TextDocument, line: number): vscode.Position {
  if (line < document.lineCount) return new vscode.Position(line, 0);
  return document.lineAt(document.lineCount - 1).range.end;
}
