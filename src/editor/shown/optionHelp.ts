import * as vscode from 'vscode';
import { shownLine, visibleText } from '../../wording/shownText.js';

/** The one way to explain what stands under the pointer. Its Markdown runs no command and holds no HTML. */
export function hoverOf(range: vscode.Range, text: string): vscode.Hover {
  return new vscode.Hover(new vscode.MarkdownString(visibleText(text)), range);
}

/** What can be written at a place. */
interface Completion {
  readonly label: string;
  readonly insert: string;
  readonly about: string;
}

/** The one way to offer what can be written. */
export function completionOf(
  { label, insert, about }: Completion,
  kind: vscode.CompletionItemKind,
  range: vscode.Range,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem(shownLine(label), kind);
  item.insertText = insert;
  item.documentation = new vscode.MarkdownString(visibleText(about));
  item.range = range;
  return item;
}
