import * as vscode from 'vscode';

/** Asks, once for exactly this content, whether a program may run. In an untrusted workspace the answer is no. */
export async function askToRunProgram({ what }: { readonly what: string; readonly content: string }): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const allow = vscode.l10n.t('Allow This Program');
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t('A task wants to run a program: {0}', what),
    {
      modal: true,
      detail: vscode.l10n.t(
        'It runs in a throw-away copy of its folder, with limits on time and output. You are asked again if its content changes.',
      ),
    },
    allow,
  );
  return picked === allow;
}
