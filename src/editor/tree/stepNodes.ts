import * as vscode from 'vscode';
import type { GateAttempt, KeptAttempt } from '../../app/results/keptAttempts.js';
import type { TaskView } from '../../app/tasks/taskView.js';
import { shownLine } from '../../wording/shownText.js';
import { answerTitle, gateAttemptKey, gateTitle } from '../../wording/taskWords.js';
import { t } from '../../wording/translate.js';
import { diffFiles, fileHead, type ChangedText } from '../../wording/work/diffFiles.js';
import { stepLines, stepText, type StepLine } from '../../wording/work/stepLines.js';
import { commandLink, type CommandLink } from '../commands/runCommand.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** The last attempts at a task that are kept. */
export type AttemptsOf = (taskId: string) => Promise<TaskView['answers']>;

/** The attempts behind a verdict at one of its held-out tasks, as far as they are kept. */
export type GateAttemptsOf = (taskId: string) => Promise<readonly GateAttempt[]>;

/** The row of a task that opens to attempts. */
interface TaskRow {
  readonly id: string;
  readonly skillPath: string;
  readonly task: string;
}

/** The last attempts of agents at a task, each with its steps; a row that says so where none is kept. */
export async function attemptNodes(row: TaskRow, attemptsOf: AttemptsOf): Promise<readonly TreeNode[]> {
  const worked = (await attemptsOf(row.task)).filter(({ work }) => work !== undefined);
  if (worked.length === 0) return [noneYet(row)];
  return worked.map((attempt) => attemptNode(row, attempt, { key: attempt.under, label: answerTitle(attempt) }));
}

/** The attempts behind the verdict, without the edits and with them, in the order in which they were made. */
export async function gateAttemptNodes(row: TaskRow, attemptsOf: GateAttemptsOf): Promise<readonly TreeNode[]> {
  const worked = (await attemptsOf(row.task)).filter(({ work }) => work !== undefined);
  if (worked.length === 0) return [noneLeft(row)];
  const isSeveral = worked.some(({ number }) => number > 1);
  return worked.map((attempt) => {
    const title = gateTitle(attempt, t);
    const label = isSeveral ? `${attempt.number}. ${title}` : title;
    return attemptNode(row, attempt, { key: gateAttemptKey(attempt), label });
  });
}

function noneYet({ id, skillPath, task }: TaskRow): TreeNode {
  const label = vscode.l10n.t('No attempt of an agent is kept yet');
  return {
    id: `${id}:none`,
    skillPath,
    taskId: task,
    row: () => ({
      label,
      icon: 'play',
      contextValue: 'attempt.none',
      says: label,
      command: commandLink('whetstone.tryTask', vscode.l10n.t('Compare With and Without Skill'), {
        skillPath,
        taskId: task,
      }),
    }),
    children: noChildren,
  };
}

function noneLeft({ id, skillPath, task }: TaskRow): TreeNode {
  const label = vscode.l10n.t('No attempt is stored any more: attempts are kept for 30 days');
  return {
    id: `${id}:none`,
    skillPath,
    taskId: task,
    row: () => ({ label, icon: 'info', contextValue: 'attempt.gone', says: label }),
    children: noChildren,
  };
}

/** The row of an attempt, by the key that its page knows it by. */
interface AttemptRow extends TaskRow {
  readonly attempt: string;
}

/** One attempt: its steps, and last what it changed. All of them lead to their place on the page that shows it whole. */
function attemptNode(
  { id: above, skillPath, task }: TaskRow,
  { passed, work }: KeptAttempt,
  { key, label }: { readonly key: string; readonly label: string },
): TreeNode {
  const row = { id: `${above}:${key}`, skillPath, task, attempt: key };
  const steps = stepLines(work?.events ?? [], t);
  return {
    id: row.id,
    skillPath,
    taskId: task,
    row: () => ({
      label,
      description: vscode.l10n.t('Steps: {0}', steps.length),
      icon: passed ? 'pass' : 'error',
      color: passed ? 'passed' : 'failed',
      state: 'collapsed',
      contextValue: 'attempt',
      says: vscode.l10n.t('{0}. Steps: {1}.', label, steps.length),
      command: pageOf(row),
    }),
    children: () =>
      Promise.resolve([...steps.map((step, at) => stepNode(row, step, at)), diffNode(row, work?.diff ?? '')]),
  };
}

/** A row under the gate leads to the answers that were compared, any other to the task. */
function pageOf({ id, skillPath, task: taskId, attempt }: AttemptRow, at?: number | 'changes'): CommandLink {
  const choice = { skillPath, taskId, place: at === undefined ? { attempt } : { attempt, at } };
  return id.startsWith('gate:')
    ? commandLink('whetstone.showAnswers', vscode.l10n.t('Show Both Answers'), choice)
    : commandLink('whetstone.showTask', vscode.l10n.t('Show Task'), choice);
}

const icons: Readonly<Record<StepLine['kind'], string>> = {
  user: 'account',
  assistant: 'comment',
  command: 'terminal',
  file: 'file',
  folder: 'folder',
  search: 'search',
  tool: 'tools',
  skill: 'book',
  usage: 'dashboard',
  end: 'debug-stop',
};

function stepNode(row: AttemptRow, step: StepLine, at: number): TreeNode {
  const line = stepText(step, t);
  return {
    id: `${row.id}:${at}`,
    skillPath: row.skillPath,
    taskId: row.task,
    row: () => ({
      label: `${at + 1}. ${shownLine(line, 80)}`,
      description: shownLine(step.output, 80),
      icon: icons[step.kind],
      color: step.failed ? 'failed' : undefined,
      contextValue: 'attempt.step',
      says: shownLine(line, 200),
      tooltip: () => [line, step.output].filter((part) => part !== '').join('\n\n'),
      command: pageOf(row, at),
    }),
    children: noChildren,
  };
}

function diffNode(row: AttemptRow, diff: string): TreeNode {
  const { files, notes } = diffFiles(diff);
  const label = vscode.l10n.t('What it changed');
  const description = files.length === 0 ? vscode.l10n.t('Nothing.') : vscode.l10n.t('Files: {0}', files.length);
  return {
    id: `${row.id}:diff`,
    skillPath: row.skillPath,
    taskId: row.task,
    row: () => ({
      label,
      description,
      icon: 'diff',
      ...(files.length === 0 ? {} : { state: 'collapsed' as const }),
      contextValue: 'attempt.diff',
      says: `${label}: ${description}`,
      tooltip: () => [description, ...notes].join('\n'),
      command: pageOf(row, 'changes'),
    }),
    children: () => Promise.resolve(files.map((file) => fileNode(row, file))),
  };
}

const changeIcons = { added: 'diff-added', changed: 'diff-modified', deleted: 'diff-removed' } as const;

function fileNode(row: AttemptRow, file: ChangedText): TreeNode {
  const { path, change, added, removed, lines } = file;
  return {
    id: `${row.id}:diff:${path}`,
    skillPath: row.skillPath,
    taskId: row.task,
    row: () => ({
      label: fileHead(file, t),
      description: `+${added} −${removed}`,
      icon: changeIcons[change],
      contextValue: 'attempt.file',
      says: vscode.l10n.t('{0}: lines added {1}, lines removed {2}.', fileHead(file, t), added, removed),
      tooltip: () => lines.join('\n'),
      command: pageOf(row, 'changes'),
    }),
    children: noChildren,
  };
}
