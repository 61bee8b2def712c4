import * as vscode from 'vscode';
import type { AdoptedVersion } from '../../workshop/workshop.js';
import { rowItem } from './row.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** Every version that was adopted, newest first. */
export function historyNode(skillPath: string, history: readonly AdoptedVersion[]): TreeNode {
  const id = `history:${skillPath}`;
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: vscode.l10n.t('History'),
        description: String(history.length),
        icon: 'history',
        state: 'collapsed',
        contextValue: 'history',
        says: vscode.l10n.t('{0} changes by Whetstone.', history.length),
      }),
    children: () => Promise.resolve(history.map((version) => versionNode(skillPath, version))),
  };
}

function versionNode(skillPath: string, version: AdoptedVersion): TreeNode {
  const id = `history:${skillPath}:${version.id}`;
  const action = { adopt: vscode.l10n.t('Adopted'), undo: vscode.l10n.t('Undone'), restore: vscode.l10n.t('Restored') }[
    version.action
  ];
  const when = new Date(version.at).toLocaleString();
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: `${version.id} ${action}`,
        description: [when, version.verdict, version.own ? undefined : vscode.l10n.t('made elsewhere')]
          .filter((part) => part !== undefined)
          .join(' · '),
        icon: version.action === 'undo' ? 'discard' : 'git-commit',
        contextValue: version.own ? 'version' : 'version.foreign',
        says: vscode.l10n.t('Version {0}: {1} on {2}.', version.id, action, when),
        command: {
          command: 'whetstone.showVersion',
          title: vscode.l10n.t('Show Change'),
          arguments: [{ skillPath, version }],
        },
      }),
    children: noChildren,
  };
}
