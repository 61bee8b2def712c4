import type * as vscode from 'vscode';
import type { EditorChats } from '../../ports/editorChat.js';
import { checkConnection } from './checkConnection.js';
import type { ModelSource } from './modelSource.js';

/**
 * VS Code asks the person before an extension uses its models, and nobody is there to be asked at night: where a chosen
 * one has not been allowed, it is asked for a word now.
 */
export async function askForLeave(
  specs: readonly (string | undefined)[],
  parts: {
    readonly chats: EditorChats;
    readonly source: ModelSource;
    readonly log: Pick<vscode.LogOutputChannel, 'info' | 'show'>;
  },
): Promise<void> {
  const chosen = (await parts.chats()).filter(({ vendor, id }) => specs.includes(`vscode/${vendor}/${id}`));
  if (chosen.every(({ isAllowed }) => isAllowed() === true)) return;
  await checkConnection(parts.source, parts.log);
}
