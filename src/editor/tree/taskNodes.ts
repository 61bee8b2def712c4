import * as vscode from 'vscode';
import type { Task } from '../../tasks/task.js';
import type { SkillOverview } from '../../workshop/workshop.js';
import { rowItem } from './row.js';
import { noChildren, type TreeNode } from './treeNode.js';

type Tasks = NonNullable<SkillOverview['tasks']>;

/** The tasks by side. The sealed ones are counted and closed: looking at them would teach to the test. */
export function tasksNode(skillPath: string, tasks: Tasks): TreeNode {
  const id = `tasks:${skillPath}`;
  const count = tasks.training.length + tasks.heldOut.length + tasks.sealed.length;
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: vscode.l10n.t('Tasks'),
        description: vscode.l10n.t(
          '{0} training · {1} held-out · {2} sealed',
          tasks.training.length,
          tasks.heldOut.length,
          tasks.sealed.length,
        ),
        icon: 'checklist',
        state: 'collapsed',
        contextValue: 'tasks',
        says: vscode.l10n.t(
          '{0} tasks: {1} for training, {2} held out, {3} sealed.',
          count,
          tasks.training.length,
          tasks.heldOut.length,
          tasks.sealed.length,
        ),
      }),
    children: () => Promise.resolve(groups(skillPath, tasks)),
  };
}

function groups(skillPath: string, tasks: Tasks): readonly TreeNode[] {
  const group = (name: string, label: string, list: readonly Task[]): readonly TreeNode[] => {
    if (list.length === 0) return [];
    const id = `tasks:${skillPath}:${name}`;
    const sealed = name === 'sealed';
    return [
      {
        id,
        skillPath,
        item: () =>
          rowItem({
            id,
            label,
            description: String(list.length),
            icon: sealed ? 'lock' : 'list-unordered',
            state: sealed ? 'leaf' : 'collapsed',
            contextValue: `tasks.${name}`,
            says: vscode.l10n.t('{0}: {1} tasks.', label, list.length),
          }),
        children: () => Promise.resolve(sealed ? [] : list.map((task) => taskNode(skillPath, name, task))),
      },
    ];
  };
  return [
    ...group('training', vscode.l10n.t('Training'), tasks.training),
    ...group('heldOut', vscode.l10n.t('Held-out'), tasks.heldOut),
    ...group('sealed', vscode.l10n.t('Sealed'), tasks.sealed),
    ...group('drafts', vscode.l10n.t('Drafts, to be confirmed'), tasks.drafts),
    ...group(
      'setAside',
      vscode.l10n.t('Set aside'),
      tasks.setAside.map(({ task }) => task),
    ),
  ];
}

function taskNode(skillPath: string, side: string, task: Task): TreeNode {
  const id = `tasks:${skillPath}:${side}:${task.id}`;
  return {
    id,
    skillPath,
    taskId: task.id,
    item: () =>
      rowItem({
        id,
        label: task.id,
        description: task.prompt.replace(/\s+/g, ' ').slice(0, 80),
        icon: task.enabled ? 'beaker' : 'circle-slash',
        contextValue: task.draft ? 'task.draft' : 'task',
        says: vscode.l10n.t('Task {0}, {1} checks: {2}', task.id, task.checks.length, task.prompt.slice(0, 120)),
        tooltip: task.prompt,
      }),
    children: noChildren,
  };
}
