import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import type { AdoptedVersion } from '../../app/proposals/versions.js';
import { agoText } from '../../wording/describeTime.js';
import { t } from '../../wording/translate.js';
import { headWord } from '../../wording/verdictReport.js';
import { noChildren, type TreeNode } from './treeNode.js';

/**
 * Every version that Whetstone wrote, newest first; each opens as a diff and can be restored. What was adopted and taken
 * back again is folded: an undo more or less is no part of how the skill came to be. Where nothing else is there, that is
 * the row.
 */
export function historyNode(skillPath: string, history: readonly AdoptedVersion[]): TreeNode {
  const takenBack = new Set(undone(history));
  const rest = history.filter((version) => !takenBack.has(version));
  if (rest.length === 0) return takenBackNode(skillPath, [...takenBack]);
  return {
    id: `history:${skillPath}`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('History'),
      description: String(rest.length),
      icon: 'history',
      state: 'collapsed',
      contextValue: 'history',
      says:
        history.length === 1
          ? vscode.l10n.t('History with 1 change by Whetstone.')
          : vscode.l10n.t('History with {0} changes by Whetstone.', history.length),
    }),
    children: () =>
      Promise.resolve([
        ...rest.map((version) => versionNode(skillPath, version)),
        ...(takenBack.size === 0 ? [] : [takenBackNode(skillPath, [...takenBack])]),
      ]),
  };
}

/** Each undo together with what it took back, newest first. */
function undone(history: readonly AdoptedVersion[]): readonly AdoptedVersion[] {
  const standing: AdoptedVersion[] = [];
  const gone = new Set<AdoptedVersion>();
  for (const version of history.toReversed()) {
    const last = version.action === 'undo' ? standing.pop() : undefined;
    if (last === undefined) standing.push(version);
    else gone.add(last).add(version);
  }
  return history.filter((version) => gone.has(version));
}

function takenBackNode(skillPath: string, versions: readonly AdoptedVersion[]): TreeNode {
  const count = versions.filter(({ action }) => action === 'undo').length;
  return {
    id: `history:${skillPath}:undone`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('Adopted and undone'),
      description: String(count),
      icon: 'discard',
      color: 'skipped',
      state: 'collapsed',
      contextValue: 'undone',
      says: vscode.l10n.t('{0} changes were adopted and undone again.', count),
    }),
    children: () => Promise.resolve(versions.map((version) => versionNode(skillPath, version))),
  };
}

function versionNode(skillPath: string, version: AdoptedVersion): TreeNode {
  const action = actionWord(version.action);
  const when = new Date(version.at).toLocaleString(vscode.env.language);
  const { verdict, measured } = version;
  const found = verdict === undefined ? undefined : headWord(measured ?? { kind: verdict }, t);
  const notes = [found, version.own ? undefined : vscode.l10n.t('from another machine')];
  return {
    id: `history:${skillPath}:${version.id}`,
    skillPath,
    version: version.id,
    row: () => ({
      label: vscode.l10n.t('Version {0} · {1}', version.id, action),
      description: [agoText(version.at, Date.now(), t) ?? when, ...notes]
        .filter((part) => part !== undefined)
        .join(' · '),
      icon: { adopt: 'git-commit', undo: 'discard', restore: 'history' }[version.action],
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
