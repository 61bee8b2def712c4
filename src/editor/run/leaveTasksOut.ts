import * as vscode from 'vscode';
import { showInformation } from '../shown/messages.js';
import { pickMany } from '../shown/questions.js';
import { applyChange } from '../tasks/taskParts.js';
import type { RunParts } from './withRunProgress.js';

/**
 * Lets a person choose which training tasks a shorter run does without, and begins it where they say so: with other tasks
 * it is another run, which has the answers that are kept. The one that is under way ends once they have chosen, and goes on
 * where they turn away.
 */
export async function leaveTasksOut(
  skillPath: string,
  parts: Pick<RunParts, 'useCases' | 'overviews'>,
  { stop, begin }: { readonly stop: () => Promise<void>; readonly begin: () => Promise<unknown> },
): Promise<void> {
  const { tasks } = await parts.overviews.of(skillPath);
  const rows = (tasks?.training ?? []).map(({ id, prompt }) => ({ label: id, detail: prompt.slice(0, longest) }));
  const picked = await pickMany(rows, {
    title: vscode.l10n.t('Training Tasks to Leave Out'),
    placeHolder: vscode.l10n.t('The run goes on until you choose. They count again once you enable them.'),
    ignoreFocusOut: true,
  });
  if (picked === undefined || picked.length === 0) return;
  await stop();
  for (const { label } of picked) await applyChange(skillPath, parts, { kind: 'disable', id: label });
  const optimize = vscode.l10n.t('Optimize');
  const message =
    picked.length === 1
      ? vscode.l10n.t('1 task is left out. A new run goes without it; what was answered is kept.')
      : vscode.l10n.t('{0} tasks are left out. A new run goes without them; what was answered is kept.', picked.length);
  if ((await showInformation(message, optimize)) === optimize) await begin();
}

const longest = 120; // characters of a task: a row has one line
