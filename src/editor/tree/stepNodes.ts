import * as vscode from 'vscode';
import type { TaskView } from '../../app/tasks/taskView.js';
import { shownLine } from '../../wording/shownText.js';
import { answerTitle } from '../../wording/taskWords.js';
import { commandLink } from '../commands/runCommand.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** The last attempts at a task that are kept. */
export type AttemptsOf = (taskId: string) => Promise<TaskView['answers']>;

type WorkedAnswer = TaskView['answers'][number];

/** Where the task stands in the tree. */
interface TaskRow {
  readonly skillPath: string;
  readonly side: string;
  readonly task: string;
}

/** The last attempts of agents at a task, each with its steps; a row that says so where none is kept. */
export async function attemptNodes(row: TaskRow, attemptsOf: AttemptsOf): Promise<readonly TreeNode[]> {
  const worked = (await attemptsOf(row.task)).filter(({ work }) => work !== undefined);
  return worked.length === 0 ? [noneYet(row)] : worked.map((answer) => attemptNode(row, answer));
}

function noneYet({ skillPath, side, task }: TaskRow): TreeNode {
  const label = vscode.l10n.t('No attempt of an agent is kept yet');
  return {
    id: `tasks:${skillPath}:${side}:${task}:none`,
    skillPath,
    taskId: task,
    row: () => ({
      label,
      icon: 'play',
      contextValue: 'attempt.none',
      says: label,
      command: commandLink('whetstone.tryTask', vscode.l10n.t('Try Task'), { skillPath, taskId: task }),
    }),
    children: noChildren,
  };
}

function attemptNode({ skillPath, side, task }: TaskRow, { under, passed, work }: WorkedAnswer): TreeNode {
  const id = `tasks:${skillPath}:${side}:${task}:${under}`;
  const steps = work?.steps ?? [];
  const label = answerTitle(under, passed);
  return {
    id,
    skillPath,
    taskId: task,
    row: () => ({
      label,
      description: vscode.l10n.t('Steps: {0}', steps.length),
      icon: passed ? 'pass' : 'error',
      state: 'collapsed',
      contextValue: 'attempt',
      says: vscode.l10n.t('{0}. Steps: {1}.', label, steps.length),
    }),
    children: () =>
      Promise.resolve(
        steps.map(({ did, result }, at) => ({
          id: `${id}:${at}`,
          skillPath,
          taskId: task,
          row: () => ({
            label: `${at + 1}. ${shownLine(did, 80)}`,
            description: shownLine(result, 80),
            icon: 'debug-step-over',
            contextValue: 'attempt.step',
            says: shownLine(did, 200),
            command: commandLink('whetstone.showTask', vscode.l10n.t('Show Task'), { skillPath, taskId: task }),
          }),
          children: noChildren,
        })),
      ),
  };
}
