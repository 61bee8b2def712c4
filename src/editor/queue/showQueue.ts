import * as vscode from 'vscode';
import { showInformation } from '../shown/messages.js';
import { withProgress } from '../shown/notification.js';
import type { QueueOfWindow } from './queueOfWindow.js';

export interface ShowQueueParts {
  readonly queue: Pick<QueueOfWindow, 'isSet' | 'look'>;
}

/** The command “Show Queue”: the row in the Runs view, as it is now; what keeps the window from the queue is said with its cure. */
export async function showQueue({ queue }: ShowQueueParts): Promise<void> {
  if (!queue.isSet()) return tellUnset();
  await vscode.commands.executeCommand('whetstone.runs.focus');
  await withProgress(vscode.l10n.t('Looking at the queue'), (signal) => queue.look(signal));
}

async function tellUnset(): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  const picked = await showInformation(
    vscode.l10n.t(
      'No queue is set: all calls are made from this window. With workers on other machines, name their queue in the setting whetstone.queue.',
    ),
    open,
  );
  if (picked === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'whetstone.queue');
}
