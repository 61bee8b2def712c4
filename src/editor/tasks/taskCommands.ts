import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { TaskChange } from '../../tasks/writeTasks.js';
import { neverAborted, signalOf } from '../cancellation.js';
import type { Overviews } from '../overviews.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import { requestFor, type WorkshopSource } from '../workbench.js';

export interface TaskParts {
  readonly workshop: WorkshopSource;
  readonly overviews: Overviews;
}

/** The command “Draft Tasks for This Skill”. */
export async function draftTasks(skillPath: string, { workshop, overviews }: TaskParts): Promise<void> {
  const given = await vscode.window.showInputBox({
    title: vscode.l10n.t('How many tasks should be drafted?'),
    value: '10',
    validateInput: (text) => (/^[1-9]\d?$/.test(text) ? undefined : vscode.l10n.t('A number from 1 to 99.')),
  });
  if (given === undefined) return;
  const ids = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, cancellable: true, title: vscode.l10n.t('Drafting tasks') },
    async (_progress, token) => {
      const { signal, dispose } = signalOf(token);
      const request = { ...requestFor(skillPath), count: Number(given), trusted: vscode.workspace.isTrusted };
      return (await workshop()).draftTasks(request, signal).finally(dispose);
    },
  );
  overviews.refresh(skillPath);
  const look = vscode.l10n.t('Open Tasks');
  const message = vscode.l10n.t('{0} tasks were drafted. They count for nothing until you confirm them.', ids.length);
  if ((await vscode.window.showInformationMessage(message, look)) === look) await openTasks(skillPath);
}

/** The command “Add Task from Selection”: the selected text is what the person would ask. */
export async function addTaskFromSelection(skillPath: string, parts: TaskParts): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const prompt = editor?.document.getText(editor.selection).trim() ?? '';
  if (prompt === '')
    throw new UserError(
      'usage',
      vscode.l10n.t('Nothing is selected.'),
      vscode.l10n.t('Select the text that a person would ask, then run the command again.'),
    );
  const id = await askId(parts, skillPath);
  const expectation = await vscode.window.showInputBox({
    title: vscode.l10n.t('What must a good answer do?'),
    prompt: vscode.l10n.t('One sentence. You can add checks in evals/whetstone.json.'),
    validateInput: (text) =>
      text.trim() === '' ? vscode.l10n.t('A task that nothing can fail proves nothing.') : undefined,
  });
  if (expectation === undefined) return;
  await change(skillPath, parts, { kind: 'add', tasks: [{ id, prompt, expectations: [expectation.trim()] }] });
  await openTasks(skillPath);
}

/** Confirms, enables or disables the task of a tree row. */
export async function changeTask(
  { skillPath, taskId }: { readonly skillPath: string; readonly taskId: string },
  kind: 'confirm' | 'enable' | 'disable',
  parts: TaskParts,
): Promise<void> {
  await change(skillPath, parts, { kind, id: taskId });
}

/** Runs one task with and without the skill and opens both answers side by side. */
export async function tryTask(skillPath: string, taskId: string, { workshop }: TaskParts): Promise<void> {
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: vscode.l10n.t('Trying {0} with and without the skill', taskId),
    },
    async (_progress, token) => {
      const { signal, dispose } = signalOf(token);
      const request = { ...runRequestFor(skillPath), withoutSkill: true, only: [taskId] };
      return (await workshop()).evaluate(request, () => undefined, signal).finally(dispose);
    },
  );
  const [withSkill] = result.tasks;
  const [without] = result.baseline?.tasks ?? [];
  const text = (task: typeof withSkill, title: string): string =>
    [
      `# ${title}: ${task?.hard === 1 ? vscode.l10n.t('passed') : vscode.l10n.t('failed')}`,
      '',
      ...(task?.checks ?? []).map((check) => `- ${check.pass ? '✓' : '✗'} ${check.name}: ${check.reason}`),
      '',
      task?.answer ?? task?.invalid ?? '',
    ].join('\n');
  const left = await vscode.workspace.openTextDocument({
    language: 'markdown',
    content: text(without, vscode.l10n.t('Without the skill')),
  });
  const right = await vscode.workspace.openTextDocument({
    language: 'markdown',
    content: text(withSkill, vscode.l10n.t('With the skill')),
  });
  await vscode.commands.executeCommand(
    'vscode.diff',
    left.uri,
    right.uri,
    vscode.l10n.t('{0}: without ↔ with the skill', taskId),
  );
}

/** The command “Import Tasks”. */
export async function importTasks(skillPath: string, parts: TaskParts): Promise<void> {
  const [picked] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Tasks to import'),
      canSelectFiles: true,
      canSelectFolders: true,
      filters: { [vscode.l10n.t('Tasks')]: ['jsonl', 'json'] },
    })) ?? [];
  if (picked === undefined) return;
  const { added, notes } = await (
    await parts.workshop()
  ).importTasks({ ...requestFor(skillPath), source: { path: picked.fsPath } }, neverAborted());
  parts.overviews.refresh(skillPath);
  const report = notes.map(
    ({ taskId, field, message }) => `- ${taskId ?? vscode.l10n.t('file')}: ${field}: ${message}`,
  );
  if (report.length > 0) {
    const document = await vscode.workspace.openTextDocument({
      language: 'markdown',
      content: [`# ${vscode.l10n.t('What had no equal')}`, '', ...report].join('\n'),
    });
    await vscode.window.showTextDocument(document, { preview: true });
  }
  void vscode.window.showInformationMessage(vscode.l10n.t('{0} tasks were imported.', added));
}

async function change(skillPath: string, { workshop, overviews }: TaskParts, taskChange: TaskChange): Promise<void> {
  await (await workshop()).changeTasks({ ...requestFor(skillPath), change: taskChange }, neverAborted());
  overviews.refresh(skillPath);
}

async function askId({ overviews }: TaskParts, skillPath: string): Promise<string> {
  const { tasks } = await overviews.of(skillPath);
  const taken = new Set(
    tasks === undefined
      ? []
      : [...tasks.training, ...tasks.heldOut, ...tasks.sealed, ...tasks.drafts].map((task) => task.id),
  );
  const id = await vscode.window.showInputBox({
    title: vscode.l10n.t('A name for the task'),
    placeHolder: 'login-loop-safari',
    validateInput: (text) =>
      text.trim() === ''
        ? vscode.l10n.t('Give it a name.')
        : taken.has(text.trim())
          ? vscode.l10n.t('That name is taken.')
          : undefined,
  });
  if (id === undefined) throw new vscode.CancellationError();
  return id.trim();
}

async function openTasks(skillPath: string): Promise<void> {
  const folder = skillPath.replace(/[\\/]SKILL\.md$/, '');
  await vscode.window.showTextDocument(vscode.Uri.file(`${folder}/evals/evals.json`));
}
