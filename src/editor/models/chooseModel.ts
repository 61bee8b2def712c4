import * as vscode from 'vscode';
import { readSettings, writeSetting } from '../settings.js';

/** Makes sure that a model is chosen; asks once where none is. The simulated one needs no key and costs nothing. */
export async function ensureModel(): Promise<void> {
  if (readSettings()['whetstone.model.target'] !== '') return;
  await chooseModel();
  if (readSettings()['whetstone.model.target'] === '') throw new vscode.CancellationError();
}

/** The command “Choose Model”. */
export async function chooseModel(): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: `$(beaker) ${vscode.l10n.t('Simulated')}`,
        description: vscode.l10n.t('offline, free, for trying Whetstone out'),
        spec: 'simulated',
      },
      {
        label: `$(edit) ${vscode.l10n.t('Other…')}`,
        description: vscode.l10n.t('such as ollama/llama3.2, openai/gpt-5-mini or https://host/v1#model'),
        spec: undefined,
      },
    ],
    { title: vscode.l10n.t('Which model should do the skill’s tasks?'), ignoreFocusOut: true },
  );
  if (picked === undefined) return;
  const spec =
    picked.spec ??
    (await vscode.window.showInputBox({
      title: vscode.l10n.t('Model'),
      prompt: vscode.l10n.t('A provider and a model, or an address and a model'),
      value: 'ollama/',
    }));
  if (spec !== undefined && spec !== '')
    await writeSetting('whetstone.model.target', spec, vscode.ConfigurationTarget.Global);
}
