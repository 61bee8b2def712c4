import * as vscode from 'vscode';
import { messageOf, ModelError, UserError } from '../errors.js';

/** Tells the person what happened and what to do. A cancelled command says nothing: they know. */
export async function reportError(error: unknown): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof UserError && error.code === 'cancelled') return;
  if (error instanceof UserError || error instanceof ModelError) {
    await vscode.window.showErrorMessage([error.message, error.cure].filter((part) => part !== '').join(' '));
    return;
  }
  await vscode.window.showErrorMessage(
    vscode.l10n.t('Whetstone ran into a problem of its own: {0} Your files are as they were.', messageOf(error)),
  );
}
