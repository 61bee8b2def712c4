import * as vscode from 'vscode';
import { showInformation } from '../shown/messages.js';

/** Resolves once the person is done with a document: they closed it, or pressed Back. */
export async function previewIsRead(document: string | undefined): Promise<void> {
  if (document === undefined) return;
  const back = vscode.l10n.t('Back');
  await Promise.race([
    isClosed(document),
    showInformation(vscode.l10n.t('Close the preview, or press Back, to decide.'), back).then((picked) =>
      picked === back ? undefined : isClosed(document),
    ),
  ]);
}

function isClosed(document: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => shows(tab, document)));
      if (isOpen) return;
      listening.dispose();
      resolve();
    };
    const listening = vscode.window.tabGroups.onDidChangeTabs(look);
    look();
  });
}

function shows({ input }: vscode.Tab, document: string): boolean {
  return input instanceof vscode.TabInputText && input.uri.toString() === document;
}
