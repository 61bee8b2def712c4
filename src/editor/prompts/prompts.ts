import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import { neverAborted } from '../cancellation.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import type { PromptScope } from '../../app/promptOverrides.js';
import type { PreferencesToAllow, PromptToAllow } from '../../app/world.js';
import type { VirtualTexts } from '../virtualTexts.js';
import { showWarning } from '../shown/messages.js';
import { pickOne } from '../shown/questions.js';
import { openDiff } from '../shown/documents.js';

/** The command “Edit Prompt”: opens the workspace's own version of a prompt, a copy of ours at first. */
export async function editPrompt(skillPath: string, useCases: UseCasesSource): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new UserError(
      'workspace-untrusted',
      vscode.l10n.t('This workspace is not trusted, so its prompts are not used.'),
      vscode.l10n.t('Trust the workspace, then edit them.'),
    );
  }
  const opened = await useCases();
  const prompts = await opened.prompts(requestFor(skillPath), neverAborted());
  const picked = await pickOne(
    prompts.map(({ name, about, own }) => ({
      label: name,
      detail: about,
      ...(own ? { description: vscode.l10n.t('your own version') } : {}),
    })),
    { title: vscode.l10n.t('Which prompt?'), matchOnDetail: true },
  );
  if (picked === undefined) return;
  const wanted = { ...requestFor(skillPath), name: picked.label };
  const scope = await pickScope(await opened.promptScopes(wanted, neverAborted()));
  if (scope === undefined) return;
  const file = await opened.promptFile({ ...wanted, scope }, neverAborted());
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
}

/** Nobody is asked where it can be for all skills alone. */
async function pickScope(
  scopes: readonly { readonly scope: PromptScope; readonly own: boolean }[],
): Promise<PromptScope | undefined> {
  const [first] = scopes;
  if (scopes.length < 2) return first?.scope;
  const picked = await pickOne(
    scopes.map(({ scope, own }) => ({
      ...wordsOf(scope),
      scope,
      ...(own ? { description: vscode.l10n.t('your own version') } : {}),
    })),
    { title: vscode.l10n.t('For whom does this version of the prompt count?') },
  );
  return picked?.scope;
}

function wordsOf(scope: PromptScope): { readonly label: string; readonly detail?: string } {
  switch (scope.kind) {
    case 'all':
      return { label: vscode.l10n.t('All skills of this workspace') };
    case 'skill':
      return { label: vscode.l10n.t('This skill') };
    case 'environment':
      return {
        label: vscode.l10n.t('Environment “{0}”', scope.environment),
        detail: vscode.l10n.t('Tasks of all skills that are attempted in it.'),
      };
  }
}

/** Shows what a prompt of the workspace changes, beside the one that ships, and asks whether to use it. */
export async function askToUsePrompt(prompt: PromptToAllow, texts: VirtualTexts): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  const shipped = texts.add(`${prompt.name} (${vscode.l10n.t('as it ships')}).md`, prompt.shipped);
  const title = vscode.l10n.t('{0}: as it ships ↔ in this workspace', prompt.name);
  await openDiff(shipped, vscode.Uri.file(prompt.file), title);
  const use = vscode.l10n.t('Use This Prompt');
  const picked = await showWarning(
    vscode.l10n.t(
      '{0} takes the place of a prompt of Whetstone, in your name. You are asked again when its text changes.',
      prompt.path,
    ),
    use,
    vscode.l10n.t('Not Now'),
  );
  return picked === use;
}

/** Shows what the workspace wishes of the optimizer in the person's name, and asks whether it is said. */
export async function askToSayPreferences({ source, text }: PreferencesToAllow, texts: VirtualTexts): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  await vscode.window.showTextDocument(texts.add(`${vscode.l10n.t('preferences')}.md`, text), { preview: true });
  const use = vscode.l10n.t('Use These Preferences');
  const picked = await showWarning(
    vscode.l10n.t(
      'The preferences in {0} are said to the optimizer in your name. You are asked again when their text changes.',
      source,
    ),
    use,
    vscode.l10n.t('Not Now'),
  );
  return picked === use;
}
