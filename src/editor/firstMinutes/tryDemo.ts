import * as vscode from 'vscode';
import { writeSetting } from '../settings.js';
import { demoKey } from './continueDemo.js';
import { showInformation } from '../shown/messages.js';

/** Copies the demo workspace to a folder of the person's choice and opens it; the window that opens trains it. */
export async function tryDemo({ extensionUri, memory }: DemoParts): Promise<void> {
  const choose = vscode.l10n.t('Choose a Folder…');
  const temporary = vscode.l10n.t('Temporary Folder');
  const picked = await showInformation(
    vscode.l10n.t('The demo is a small workspace with four skills. Where should it be copied to?'),
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
  await memory.update(demoKey, demo.fsPath);
  await vscode.commands.executeCommand('vscode.openFolder', demo, {
    forceReuseWindow: vscode.workspace.workspaceFolders === undefined,
  });
}

export interface DemoParts {
  readonly extensionUri: vscode.Uri;
  /** Survives the change of folder. */
  readonly memory: vscode.Memento;
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
