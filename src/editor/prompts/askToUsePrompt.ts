import * as vscode from 'vscode';
import type { PromptToAllow } from '../../app/world.js';
import type { VirtualTexts } from '../virtualTexts.js';

/** Shows what a prompt of the workspace changes, beside the one that ships, and asks whether to use it. */
export async function askToUsePrompt(prompt: PromptToAllow, texts: VirtualTexts): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const shipped = texts.add(`${prompt.name} (${vscode.l10n.t('as it ships')}).md`, prompt.shipped);
  const title = vscode.l10n.t('{0}: as it ships ↔ in this workspace', prompt.name);
  await vscode.commands.executeCommand('vscode.diff', shipped, vscode.Uri.file(prompt.file), title);
  const use = vscode.l10n.t('Use This Prompt');
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} takes the place of a prompt of Whetstone, in your name. You are asked again when its text changes.',
      prompt.path,
    ),
    use,
    vscode.l10n.t('Not Now'),
  );
  return picked === use;
}
