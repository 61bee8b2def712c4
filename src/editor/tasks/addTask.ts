import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import { floors } from '../../tasks/split/fillSides.js';
import type { TaskSource } from '../../tasks/makeTask.js';
import type { Side } from '../../tasks/task.js';
import { sideLabel } from '../../wording/taskWords.js';
import { neverAborted } from '../cancellation.js';
import { runCommand } from '../commands/runCommand.js';
import { showInformation } from '../shown/messages.js';
import { askText, pickOne } from '../shown/questions.js';
import { askAttempt, askChangedFile, askSkillUse, type AttemptWay } from './askAttempt.js';
import { requestFor } from '../workbench.js';
import { purposeOf } from './moveTask.js';
import { applyChange, refuseUnsaved, type TaskParts } from './taskParts.js';

/** The commands “New Task” and “Add Task from Selection”: what is asked, how it is attempted, its name, what is expected, and its side. */
export async function addTask(skillPath: string, selected: string | undefined, parts: TaskParts): Promise<void> {
  refuseUnsaved(skillPath);
  const made: string[] = [];
  let isAdded = false;
  try {
    const task = await askTask(skillPath, selected, { ...parts, made: (name) => made.push(name) });
    if (task === undefined) return;
    await applyChange(skillPath, parts, { kind: 'add', tasks: [task] });
    isAdded = true;
    await runCommand('whetstone.showTask', { skillPath, taskId: task.id });
    await tellEmpty(skillPath, task);
  } finally {
    if (!isAdded && made.length > 0) await dropFolders(skillPath, made, parts);
  }
}

async function dropFolders(skillPath: string, made: readonly string[], { useCases }: TaskParts): Promise<void> {
  const known = await useCases();
  for (const name of made) await known.dropFixture({ ...requestFor(skillPath), name }, neverAborted());
}

type AskParts = TaskParts & Parameters<typeof askAttempt>[2];

/** Undefined where the person thinks better of it. */
async function askTask(
  skillPath: string,
  selected: string | undefined,
  parts: AskParts,
): Promise<(TaskSource & AttemptWay) | undefined> {
  const prompt = selected ?? (await askPrompt());
  if (prompt === undefined) return undefined;
  const { tasks } = await parts.overviews.of(skillPath);
  const attempted = await askAttempt(skillPath, tasks, parts);
  if (attempted === undefined) return undefined;
  const id = await askId(tasks, prompt);
  if (id === undefined) return undefined;
  const expectation = await askText({
    title: vscode.l10n.t('What must a good answer do?'),
    prompt: vscode.l10n.t('One sentence. You can add checks in evals/whetstone.json.'),
    validateInput: (text) =>
      text.trim() === '' ? vscode.l10n.t('A task that nothing can fail proves nothing.') : undefined,
  });
  if (expectation === undefined) return undefined;
  const checks = await askChecks(attempted, parts);
  const assigned = checks && (await askSide(tasks));
  if (assigned === undefined) return undefined;
  return { id, prompt, expectations: [expectation.trim()], assigned, ...attempted, ...checks };
}

/** A folder without files is what some tasks start from; most were meant to have some. */
async function tellEmpty(skillPath: string, { agent }: AttemptWay): Promise<void> {
  if (typeof agent?.fixture !== 'string') return;
  const folder = vscode.Uri.joinPath(vscode.Uri.file(skillPath), '..', agent.fixture);
  const found = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => undefined);
  if (found?.every(([name]) => name === '.gitkeep') !== true) return; // one that is missing is told on the page of the task
  const show = vscode.l10n.t('Show Folder');
  const said = vscode.l10n.t(
    '{0} is empty: the agent starts from nothing. Put the files into it that it should find.',
    agent.fixture,
  );
  void showInformation(said, show).then((picked) =>
    picked === show ? vscode.commands.executeCommand('revealInExplorer', folder) : undefined,
  );
}

/** The first checks of what an agent does: its file, and where it may leave the skill alone, whether that fails it. */
async function askChecks({ agent }: AttemptWay, parts: TaskParts): Promise<Pick<TaskSource, 'checks'> | undefined> {
  if (agent === undefined) return {};
  const file = await askChangedFile(parts);
  if (file === undefined) return undefined;
  const mustUse = agent.mode === 'offered' ? await askSkillUse() : false;
  if (mustUse === undefined) return undefined;
  const checks = [
    ...(file === '' ? [] : [{ check: 'file_changed', hidden: false, arguments: { path: file } }]),
    ...(mustUse ? [{ check: 'skill_used', hidden: false, arguments: {} }] : []),
  ];
  return checks.length === 0 ? {} : { checks };
}

/** What is selected in the editor in front; undefined where nothing is. */
export function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection).trim() ?? '';
  return text === '' ? undefined : text;
}

function askPrompt(): Thenable<string | undefined> {
  return askText({
    title: vscode.l10n.t('What would a person ask?'),
    prompt: vscode.l10n.t('Nothing is selected. Write the request here, or select it in a document first.'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A task needs a request.') : undefined),
  });
}

type Tasks = SkillOverview['tasks'];

/** Training first: who adds a task has most often seen the skill fail it. Held-out says how many are missing. */
async function askSide(tasks: Tasks): Promise<Side | undefined> {
  const missing = Math.max(0, floors.heldOut - (tasks?.heldOut.length ?? 0));
  const wanted =
    missing === 0
      ? vscode.l10n.t('enough are there')
      : vscode.l10n.t('{0} more needed, {1} in all', missing, floors.heldOut);
  const rows = (['training', 'heldOut', 'sealed'] as const).map((side) => ({
    label: sideLabel(side),
    ...(side === 'heldOut' ? { description: wanted } : {}),
    detail: purposeOf(side),
    side,
  }));
  return (await pickOne(rows, { title: vscode.l10n.t('What is the task for?') }))?.side;
}

async function askId(tasks: Tasks, prompt: string): Promise<string | undefined> {
  const listed = tasks === undefined ? [] : [...tasks.training, ...tasks.heldOut, ...tasks.sealed, ...tasks.drafts];
  const others = [
    ...(tasks?.disabled ?? []),
    ...[...(tasks?.setAside ?? []), ...(tasks?.broken ?? [])].map((each) => each.task),
  ];
  const taken = new Set([...listed, ...others].map((task) => task.id));
  const id = await askText({
    title: vscode.l10n.t('A name for the task'),
    value: freeName(prompt, taken),
    validateInput: (text) =>
      text.trim() === ''
        ? vscode.l10n.t('Give it a name.')
        : taken.has(text.trim())
          ? vscode.l10n.t('That name is taken.')
          : undefined,
  });
  return id?.trim();
}

const mostWords = 4; // of a request in the name that is offered

/** The first words of the request, such as `greet-the-new-cook`, with a number where they are taken. */
function freeName(prompt: string, taken: ReadonlySet<string>): string {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['task'];
  const name = words.slice(0, mostWords).join('-').slice(0, 60);
  let number = 1;
  while (taken.has(number === 1 ? name : `${name}-${number}`)) number += 1;
  return number === 1 ? name : `${name}-${number}`;
}
