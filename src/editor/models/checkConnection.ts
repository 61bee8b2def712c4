import * as vscode from 'vscode';
import { cureOfKind } from '../cures.js';
import { withProgress } from '../withProgress.js';
import type { ModelSource } from './modelSource.js';

/** The command “Check Connection”: one tiny call to each chosen model, each finding with its cure. */
export async function checkConnection(source: ModelSource, log: vscode.LogOutputChannel): Promise<void> {
  const connection = await withProgress(vscode.l10n.t('Checking the connection'), (signal) => source.check(signal));
  for (const line of connection.text.trimEnd().split('\n')) log.info(line);
  const show = vscode.l10n.t('Show Findings');
  const { failure } = connection;
  const cure = failure?.kind === undefined ? undefined : cureOfKind(failure.kind);
  const picked =
    failure === undefined
      ? await vscode.window.showInformationMessage(vscode.l10n.t('The model answers.'), show)
      : await vscode.window.showErrorMessage(
          `${failure.what} ${failure.cure}`.trim(),
          ...(cure === undefined ? [] : [cure.label]),
          show,
        );
  if (picked === show) log.show();
  if (cure !== undefined && picked === cure.label) await cure.run();
}
