import * as vscode from 'vscode';
import { signalOf } from '../cancellation.js';
import type { ModelSource } from './modelSource.js';

/** The command “Check Connection”: one tiny call to each chosen model, each finding with its cure. */
export async function checkConnection(source: ModelSource, log: vscode.LogOutputChannel): Promise<void> {
  const connection = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Checking the connection'),
    },
    async (_progress, token) => {
      const { signal, dispose } = signalOf(token);
      return source.check(signal).finally(dispose);
    },
  );
  for (const line of connection.text.trimEnd().split('\n')) log.info(line);
  const show = vscode.l10n.t('Show Findings');
  const picked = connection.healthy
    ? await vscode.window.showInformationMessage(vscode.l10n.t('The model answers.'), show)
    : await vscode.window.showErrorMessage(firstFailure(connection.text), show);
  if (picked === show) log.show();
}

function firstFailure(text: string): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith('✗'));
  return at < 0 ? text : [lines[at]?.slice(2) ?? '', lines[at + 1]?.trim() ?? ''].join(' ').trim();
}
