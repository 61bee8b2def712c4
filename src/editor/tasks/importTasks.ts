import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import { UserError } from '../../errors.js';
import type { ImportNote } from '../../tasks/readers/importedTasks.js';
import { parseRatio } from '../../tasks/readers/ratio.js';
import { neverAborted } from '../cancellation.js';
import { requestFor } from '../workbench.js';
import { refuseUnsaved, type TaskParts } from './taskParts.js';
import { showInformation } from '../shown/messages.js';
import { askText, pickOne } from '../shown/questions.js';

/** The command “Import Tasks”: brings in another tool's tasks and shows everything that has no equal. */
export async function importTasks(skillPath: string, { useCases, overviews, texts }: TaskParts): Promise<void> {
  refuseUnsaved(skillPath);
  const picked = await pickSources();
  const chosen = await sidesOf(picked);
  if (chosen === undefined) return;
  const ratio = chosen.heldOut === undefined ? await askRatio() : '';
  if (ratio === undefined) return;
  const source = { ...chosen, ratio: ratio === '' ? undefined : ratio };
  const { added, notes } = await (await useCases()).importTasks({ ...requestFor(skillPath), source }, neverAborted());
  overviews.refresh(skillPath);
  if (notes.length > 0) await vscode.window.showTextDocument(texts.add('import.md', noteText(notes)));
  void tellImported(skillPath, added);
}

/** Says what came in, and what comes next. */
async function tellImported(skillPath: string, added: number): Promise<void> {
  const optimize = vscode.l10n.t('Optimize This Skill');
  const message = vscode.l10n.t('{0} tasks were imported.', added);
  const picked = await showInformation(message, ...(added === 0 ? [] : [optimize]));
  if (picked === optimize) await runCommand('whetstone.optimize', skillPath);
}

/** Files or a folder, asked first: the dialogs of Windows and Linux show either the one or the other. */
async function pickSources(): Promise<readonly string[]> {
  const files = {
    label: vscode.l10n.t('Files'),
    detail: vscode.l10n.t(
      'JSON lines, with a separate held-out file or without; SkillOpt-Sleep tasks; a list of items',
    ),
  };
  const folder = { label: vscode.l10n.t('Folder'), detail: vscode.l10n.t('With train, val and test, or with items') };
  const kind = await pickOne([files, folder], {
    title: vscode.l10n.t('Where do the tasks stand?'),
  });
  if (kind === undefined) return [];
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Tasks to import'),
    openLabel: vscode.l10n.t('Import'),
    canSelectFiles: kind === files,
    canSelectFolders: kind === folder,
    canSelectMany: kind === files,
    ...(kind === files ? { filters: { JSON: ['jsonl', 'json'] } } : {}),
  });
  return (picked ?? []).map((uri) => uri.fsPath);
}

/** Of two files one is the separate held-out file; the person says which. */
async function sidesOf(
  paths: readonly string[],
): Promise<{ readonly path: string; readonly heldOut?: string } | undefined> {
  const [first, second] = paths;
  if (first === undefined) return undefined;
  if (paths.length > 2) {
    throw new UserError(
      'usage',
      vscode.l10n.t('{0} files were chosen.', paths.length),
      vscode.l10n.t('Choose one file of tasks, or two of which one is held out.'),
    );
  }
  if (second === undefined) return { path: first };
  const picked = await pickOne(
    paths.map((path) => ({ label: path, path })),
    { title: vscode.l10n.t('Which of the two holds the held-out tasks?') },
  );
  if (picked === undefined) return undefined;
  const heldOut = picked.path;
  return { path: heldOut === first ? second : first, heldOut };
}

/** A ratio for the sides, empty for none; undefined where the person thought better of it. */
function askRatio(): Thenable<string | undefined> {
  return askText({
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
