import * as vscode from 'vscode';
import type { AllowedLogin } from '../../app/models/agentAccess.js';
import { neverAborted } from '../cancellation.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { pickMany } from '../shown/questions.js';
import type { UseCasesSource } from '../workbench.js';

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

/** The command “Forget Allowed Logins”: takes back what was allowed, program by program. Gives those that were forgotten. */
export async function forgetLogins(source: UseCasesSource): Promise<readonly string[]> {
  const useCases = await source();
  const allowed = await useCases.allowedLogins();
  if (allowed.length === 0) {
    void showInformation(vscode.l10n.t('You have not allowed Whetstone to use a login.'));
    return [];
  }
  const chosen = await pickLogins(allowed);
  for (const { id } of chosen) await useCases.forgetLogin(id, neverAborted());
  if (chosen.length > 0) {
    const labels = chosen.map(({ label }) => label).join(', ');
    void showInformation(vscode.l10n.t('Your login is no longer used: {0}.', labels));
  }
  return chosen.map(({ id }) => id);
}

async function pickLogins(allowed: readonly AllowedLogin[]): Promise<readonly AllowedLogin[]> {
  const items = allowed.map(({ id, label }) => ({ id, label, description: id }));
  const title = vscode.l10n.t('Which logins may no longer be used?');
  return (await pickMany(items, { title })) ?? [];
}
