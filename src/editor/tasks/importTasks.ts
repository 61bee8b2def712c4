import * as vscode from 'vscode';
import type { ImportNote } from '../../tasks/readers/importedTasks.js';
import { parseRatio } from '../../tasks/readers/ratio.js';
import { neverAborted } from '../cancellation.js';
import { requestFor } from '../workbench.js';
import { refuseUnsaved, type TaskParts } from './taskParts.js';

/** The command “Import Tasks”: brings in another tool's tasks and shows everything that has no equal. */
export async function importTasks(skillPath: string, { workshop, overviews, texts }: TaskParts): Promise<void> {
  refuseUnsaved(skillPath);
  const picked =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Tasks to import: JSON lines, SkillOpt-Sleep tasks, or a folder with train, val and test'),
      openLabel: vscode.l10n.t('Import'),
      canSelectFiles: true,
      canSelectFolders: true,
      canSelectMany: true,
    })) ?? [];
  const chosen = await sidesOf(picked.map((uri) => uri.fsPath));
  if (chosen === undefined) return;
  const ratio = chosen.heldOut === undefined ? await askRatio() : '';
  if (ratio === undefined) return;
  const source = { ...chosen, ratio: ratio === '' ? undefined : ratio };
  const { added, notes } = await (await workshop()).importTasks({ ...requestFor(skillPath), source }, neverAborted());
  overviews.refresh(skillPath);
  if (notes.length > 0) await vscode.window.showTextDocument(texts.add('import.md', noteText(notes)));
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} tasks were imported.', added));
}

/** Of two files one is the separate held-out file; the person says which. */
async function sidesOf(
  paths: readonly string[],
): Promise<{ readonly path: string; readonly heldOut?: string } | undefined> {
  const [first, second] = paths;
  if (first === undefined || paths.length > 2) return undefined;
  if (second === undefined) return { path: first };
  const heldOut = await vscode.window.showQuickPick([...paths], {
    title: vscode.l10n.t('Which of the two holds the held-out tasks?'),
  });
  if (heldOut === undefined) return undefined;
  return { path: heldOut === first ? second : first, heldOut };
}

/** A ratio for the sides, empty for none; undefined where the person thought better of it. */
function askRatio(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Sides by ratio'),
    prompt: vscode.l10n.t(
      'Training, held-out and sealed, such as 2:1:7. Leave it empty to keep the sides of the file, or to let Whetstone split.',
    ),
    validateInput: (text) => {
      if (text.trim() === '') return undefined;
      try {
        parseRatio(text);
        return undefined;
      } catch {
        return vscode.l10n.t('Three numbers with colons between them, such as 2:1:7.');
      }
    },
  });
}

function noteText(notes: readonly ImportNote[]): string {
  const lines = notes.map(({ taskId, field, message }) => `- ${taskId ?? vscode.l10n.t('file')}: ${field}: ${message}`);
  return [`# ${vscode.l10n.t('What had no equal, or was changed to have one')}`, '', ...lines, ''].join('\n');
}
