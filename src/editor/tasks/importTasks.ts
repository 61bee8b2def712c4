import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import { UserError } from '../../errors.js';
import type { ImportNote } from '../../tasks/readers/importedTasks.js';
import { parseRatio } from '../../tasks/readers/ratio.js';
import { neverAborted } from '../cancellation.js';
import { requestFor } from '../workbench.js';
import { refuseUnsaved, type TaskParts } from './taskParts.js';
import { importExamples } from '../../wording/importExamples.js';
import { knownText } from '../../wording/taskWords.js';
import { ownCure } from '../../wording/ownCure.js';
import { retold } from '../../wording/translate.js';
import { showError, showInformation } from '../shown/messages.js';
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
  const showExample = (): Thenable<unknown> =>
    vscode.window.showTextDocument(texts.add('import-examples.md', exampleText()));
  try {
    const result = await (await useCases()).importTasks({ ...requestFor(skillPath), source }, neverAborted());
    overviews.refresh(skillPath);
    if (result.notes.length > 0) await vscode.window.showTextDocument(texts.add('import.md', noteText(result.notes)));
    void tellImported(skillPath, result, showExample);
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'tasks-malformed') throw error;
    await tellUnreadable(error, showExample);
  }
}

/** Says what came in, and what comes next. */
async function tellImported(
  skillPath: string,
  { added, notes }: { readonly added: number; readonly notes: readonly ImportNote[] },
  showExample: () => Thenable<unknown>,
): Promise<void> {
  const optimize = vscode.l10n.t('Optimize This Skill');
  const example = vscode.l10n.t('Show Example');
  const [refused, known] = [countOf(notes, 'refused'), countOf(notes, 'known')];
  const message =
    refused === 0
      ? vscode.l10n.t('{0} tasks were imported.', added)
      : vscode.l10n.t('{0} tasks were imported, {1} could not be read.', added, refused);
  const describe = vscode.l10n.t('Describe Checks');
  const unseen = countOf(notes, 'not-described');
  const there = known === 0 ? '' : ` ${knownText(known)}.`;
  const hint =
    unseen === 0 ? '' : ` ${vscode.l10n.t('The optimizer is not told what {0} of their checks demand.', unseen)}`;
  const actions = [...(unseen === 0 ? [] : [describe]), optimize, ...(refused === 0 ? [] : [example])];
  const picked = await showInformation(`${message}${there}${hint}`, ...actions);
  if (picked === describe) await runCommand('whetstone.describeChecks', { skillPath });
  if (picked === optimize) await runCommand('whetstone.optimize', skillPath);
  if (picked === example) await showExample();
}

function countOf(notes: readonly ImportNote[], wanted: ImportNote['kind']): number {
  return notes.filter(({ kind }) => kind === wanted).length;
}

/** A file that cannot be imported, with a file of each format that can. */
async function tellUnreadable(error: UserError, showExample: () => Thenable<unknown>): Promise<void> {
  const example = vscode.l10n.t('Show Example');
  const message = [error.message, ownCure(error.cure, 'editor')].map(retold).join(' ');
  if ((await showError(message, example)) === example) await showExample();
}

function exampleText(): string {
  const shown = importExamples.map(({ name, text }) => `## ${name}\n\n\`\`\`\n${text}\n\`\`\``);
  return [`# ${vscode.l10n.t('Files that can be imported')}`, '', shown.join('\n\n'), ''].join('\n');
}

/** Files or a folder, asked first: the dialogs of Windows and Linux show either the one or the other. */
async function pickSources(): Promise<readonly string[]> {
  const files = {
    label: vscode.l10n.t('Files'),
    detail: vscode.l10n.t('JSON lines, JSON, CSV, promptfoo tests, an eval.yaml of Waza, SkillOpt-Sleep tasks'),
  };
  const folder = { label: vscode.l10n.t('Folder'), detail: vscode.l10n.t('With train, val and test, or with items') };
  const kind = await pickOne([files, folder], {
    title: vscode.l10n.t('Import tasks from'),
  });
  if (kind === undefined) return [];
  const picked = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Tasks to import'),
    openLabel: vscode.l10n.t('Import'),
    canSelectFiles: kind === files,
    canSelectFolders: kind === folder,
    canSelectMany: kind === files,
    ...(kind === files
      ? { filters: { [vscode.l10n.t('Tasks')]: ['jsonl', 'ndjson', 'json', 'csv', 'tsv', 'yaml', 'yml'] } }
      : {}),
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
async function askRatio(): Promise<string | undefined> {
  const automatic = {
    label: vscode.l10n.t('Automatic (recommended)'),
    detail: vscode.l10n.t('Two for training, then five held out, then in turn. Sides that the file names are kept.'),
  };
  const custom = { label: vscode.l10n.t('Custom'), detail: vscode.l10n.t('By a ratio that you give.') };
  const picked = await pickOne([automatic, custom], { title: vscode.l10n.t('How should the tasks be split?') });
  if (picked !== custom) return picked === undefined ? undefined : '';
  return askText({
    title: vscode.l10n.t('Training, held-out and sealed'),
    prompt: vscode.l10n.t('Three numbers with colons between them, such as 2:1:7.'),
    validateInput: (text) => {
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
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ message }) => retold(message));
  const unusable = notes.filter(({ kind }) => kind === 'unusable').map(noteLine);
  const unseen = notes.filter(({ kind }) => kind === 'not-described').map(noteLine);
  const known = notes.filter(({ kind }) => kind === 'known').map(({ message }) => retold(message));
  const others = notes.filter(({ kind }) => kind === 'no-equal' || kind === 'changed').map(noteLine);
  return [
    ...section(vscode.l10n.t('What could not be read'), refused),
    ...section(vscode.l10n.t('Tasks that cannot be used until their checks are mended'), unusable),
    ...section(vscode.l10n.t('What is there already'), known),
    ...section(vscode.l10n.t('Checks that the optimizer is not told about'), unseen),
    ...section(vscode.l10n.t('What had no equal, or was changed to have one'), others),
  ].join('\n');
}

function noteLine({ taskId, field, message }: ImportNote): string {
  return `${taskId ?? vscode.l10n.t('file')}: ${field}: ${retold(message)}`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`# ${title}`, '', ...lines.map((line) => `- ${line}`), ''];
}
