import * as vscode from 'vscode';
import { AnswersAwaited, cureIn, messageOf, ModelError, UserError } from '../errors.js';
import { curesOf, type Cure } from './cures.js';
import { ownCure } from '../wording/ownCure.js';
import { retold } from '../wording/translate.js';
import { showError, showInformation } from './shown/messages.js';

/** Tells the person what happened and what to do, with a button where a place of ours mends it. A cancelled command says nothing: they know. `more` are the buttons of whoever knows what was under way. */
export async function reportError(error: unknown, more: readonly Cure[] = []): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof UserError && error.code === 'cancelled') return;
  if (error instanceof AnswersAwaited) return tellAwaited(error);
  if (error instanceof UserError || error instanceof ModelError) {
    const message = [error.message, ownCure(error.cure, 'editor')]
      .filter((part) => part !== '')
      .map(retold)
      .join(' ');
    const cures = [...curesOf(error), ...more];
    const picked = await showError(message, ...cures.map(({ label }) => label));
    await cures.find(({ label }) => label === picked)?.run();
    return;
  }
  if (cureIn(error) !== '') {
    await showError([messageOf(error), ownCure(cureIn(error), 'editor')].map(retold).join(' '));
    return;
  }
  await showError(
    vscode.l10n.t('Whetstone ran into a problem of its own: {0} Your files are as they were.', messageOf(error)),
  );
}

/** What waits for answers by hand is no error. */
async function tellAwaited({ message, cure, folder }: AnswersAwaited): Promise<void> {
  const show = vscode.l10n.t('Show Prompts');
  const picked = await showInformation([message, cure].map(retold).join(' '), show);
  if (picked === show) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(`${folder}/INDEX.md`));
}
