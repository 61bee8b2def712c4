import * as vscode from 'vscode';

/**
 * The one place where Markdown is shown. `markdown` is ours: whatever others wrote in it went through `asMarkdown`. Of its
 * links only these commands are run.
 */
export function commentOf(markdown: string, commands: readonly string[]): vscode.Comment {
  const body = new vscode.MarkdownString(markdown, true);
  body.isTrusted = { enabledCommands: commands };
  body.supportHtml = false;
  return { body, mode: vscode.CommentMode.Preview, author: { name: 'Whetstone' } };
}
