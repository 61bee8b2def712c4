import * as vscode from 'vscode';
import type { EditorChats } from '../../ports/editorChat.js';
import { withProgress } from '../withProgress.js';
import type { ModelSource } from './modelSource.js';

/**
 * VS Code asks the person before an extension uses its models, and nobody is there to be asked at night: where a chosen
 * one has not been allowed, it is asked for a word now.
 */
export async function requestModelAccess(
  specs: readonly (string | undefined)[],
  { chats, source }: { readonly chats: EditorChats; readonly source: Pick<ModelSource, 'check'> },
): Promise<void> {
  if (!specs.some((spec) => spec?.startsWith('vscode/'))) return;
  const chosen = (await chats()).filter(({ vendor, id }) => specs.includes(`vscode/${vendor}/${id}`));
  if (chosen.every(({ isAllowed }) => isAllowed() === true)) return;
  const title = vscode.l10n.t('Asking the model for a word, so that VS Code can ask you for access');
  const { failure } = await withProgress(title, (signal) => source.check(signal));
  if (failure !== undefined) void vscode.window.showWarningMessage(`${failure.what} ${failure.cure}`.trim());
}
