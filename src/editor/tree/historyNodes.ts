import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import type { AdoptedVersion } from '../../app/proposals/versions.js';
import { verdictWord } from '../../wording/gateWords.js';
import { t } from '../../wording/translate.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** Every version that Whetstone wrote, newest first; each opens as a diff and can be restored. */
export function historyNode(skillPath: string, history: readonly AdoptedVersion[]): TreeNode {
  return {
    id: `history:${skillPath}`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('History'),
      description: String(history.length),
      icon: 'history',
      state: 'collapsed',
      contextValue: 'history',
      says:
        history.length === 1
          ? vscode.l10n.t('History with 1 change by Whetstone.')
          : vscode.l10n.t('History with {0} changes by Whetstone.', history.length),
    }),
    children: () => Promise.resolve(history.map((version) => versionNode(skillPath, version))),
  };
}

function versionNode(skillPath: string, version: AdoptedVersion): TreeNode {
  const action = actionWord(version.action);
  const when = new Date(version.at).toLocaleString(vscode.env.language);
  const found = version.verdict === undefined ? undefined : verdictWord(version.verdict, t);
  const notes = [found, version.own ? undefined : vscode.l10n.t('from another machine')];
  return {
    id: `history:${skillPath}:${version.id}`,
    skillPath,
    version: version.id,
    row: () => ({
      label: `${version.id} ${action}`,
      description: [when, ...notes].filter((part) => part !== undefined).join(' · '),
      icon: version.action === 'adopt' ? 'git-commit' : 'discard',
      contextValue: version.own ? 'version' : 'version.foreign',
      says: vscode.l10n.t('Version {0}: {1} on {2}.', version.id, action, when),
      command: commandLink('whetstone.showVersion', vscode.l10n.t('Show Change'), { skillPath, version: version.id }),
    }),
    children: noChildren,
  };
}

function actionWord(action: AdoptedVersion['action']): string {
  return { adopt: vscode.l10n.t('adopted'), undo: vscode.l10n.t('undone'), restore: vscode.l10n.t('restored') }[action];
}
