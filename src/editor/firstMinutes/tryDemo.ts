import * as vscode from 'vscode';
import { writeSetting } from '../settings.js';

/** Copies the demo workspace to a folder of the person's choice and opens it there, ready to be trained offline. */
export async function tryDemo(extensionUri: vscode.Uri): Promise<void> {
  const choose = vscode.l10n.t('Choose a Folder…');
  const temporary = vscode.l10n.t('Temporary Folder');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('The demo is a small workspace with three skills. Where should it be copied to?'),
    {
      modal: true,
      detail: vscode.l10n.t('It is trained on the simulated model: offline, free, nothing is sent anywhere.'),
    },
    temporary,
    choose,
  );
  if (picked === undefined) return;
  const folder = picked === choose ? await askFolder() : temporaryFolder();
  if (folder === undefined) return;
  const demo = vscode.Uri.joinPath(folder, 'whetstone-demo');
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'media', 'demo'), demo, { overwrite: false });
  await writeSetting('whetstone.model.target', 'simulated', vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('vscode.openFolder', demo, {
    forceReuseWindow: vscode.workspace.workspaceFolders === undefined,
  });
}

async function askFolder(): Promise<vscode.Uri | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFolders: true,
      canSelectFiles: false,
      openLabel: vscode.l10n.t('Copy the Demo Here'),
    })) ?? [];
  return folder;
}

function temporaryFolder(): vscode.Uri {
  const base = process.env['TMPDIR'] ?? process.env['TEMP'] ?? '/tmp';
  return vscode.Uri.joinPath(vscode.Uri.file(base), `whetstone-${Date.now().toString(36)}`);
}
