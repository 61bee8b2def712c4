import * as vscode from 'vscode';
import { exactText } from '../wording/shownText.js';
import { showWarning } from './shown/messages.js';

/** Asks, once for exactly this content, whether a program may run. In an untrusted workspace the answer is no. */
export async function askToRunProgram({
  what,
  folder,
}: {
  readonly what: string;
  readonly folder?: string | undefined;
}): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const allow = vscode.l10n.t('Allow This Program');
  const limits = vscode.l10n.t(
    'It runs in a throw-away copy of its folder, with limits on time and output. You are asked again if its content changes.',
  );
  const place = folder === undefined ? [] : [vscode.l10n.t('You can look at it first: {0}', shown(folder))];
  const picked = await showWarning(
    vscode.l10n.t('A task wants to run a program: {0}', exactText(what)),
    { modal: true, detail: [limits, ...place].join('\n\n') },
    allow,
  );
  return picked === allow;
}

function shown(folder: string): string {
  return vscode.workspace.asRelativePath(folder, true);
}
