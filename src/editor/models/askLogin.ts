import * as vscode from 'vscode';
import { showWarning } from '../shown/messages.js';

/** Asks, once for each agent program, whether calls may be made with the person's login to it. */
export async function askToUseLogin(label: string): Promise<boolean> {
  const allow = vscode.l10n.t('Use My Login');
  const detail = [
    vscode.l10n.t(
      'For each answer Whetstone starts {0} with its tools off, in an empty folder and a home of its own, and hands it the access token that it keeps on this machine: to {0} alone, never to a server of ours, and never the token that renews your login.',
      label,
    ),
    vscode.l10n.t(
      'Calls are taken from your plan. Before a run you see how many; caps on calls, tokens and minutes hold.',
    ),
    vscode.l10n.t('An API key in the environment is used without this.'),
  ];
  const question = vscode.l10n.t('May Whetstone use your login to {0}?', label);
  return (await showWarning(question, { modal: true, detail: detail.join('\n\n') }, allow)) === allow;
}
