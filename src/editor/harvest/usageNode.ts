import * as vscode from 'vscode';
import type { SkillUsage, UsageMap } from '../../app/harvest/usageMap.js';
import { count } from '../../wording/amounts.js';
import { usageFigures, usageSentences, usageWords } from '../../wording/harvest/usageWords.js';
import { t } from '../../wording/translate.js';
import { noChildren, type TreeNode } from '../tree/treeNode.js';

/** Which skills agents used in past sessions: those that had to be corrected first, those of the person's home too. */
export function usageNode(usage: UsageMap): TreeNode {
  const read = `${count(usage.sessions, 'session', t)}, ${count(usage.messages, 'message', t)}`;
  return {
    id: 'usage',
    row: () => ({
      label: vscode.l10n.t('Usage'),
      description: read,
      icon: 'graph',
      state: 'collapsed',
      contextValue: 'usage',
      says: vscode.l10n.t('Which skills agents used in past sessions: {0}.', read),
      tooltip: () => usage.others.map(({ name, fired }) => otherWords(name, fired)).join('\n'),
    }),
    children: () => Promise.resolve(usage.skills.map(skillUsageNode)),
  };
}

function otherWords(name: string, fired: number): string {
  return vscode.l10n.t('{0}: used {1} times, and none of the skills that were found.', name, fired);
}

function skillUsageNode(skill: SkillUsage): TreeNode {
  const { name, skillPath, place, fired, corrected, sharesName } = skill;
  const words = usageWords(skill, t);
  const where = place === 'home' ? [vscode.l10n.t('home')] : [];
  const shared = sharesName
    ? [vscode.l10n.t('Another skill has that name too: which of them was used nobody can tell.')]
    : [];
  return {
    id: `usage:${skillPath}`,
    skillPath,
    row: () => ({
      label: name,
      description: [...where, usageFigures(skill, t)].join(' · '),
      icon: corrected > 0 ? 'warning' : fired > 0 ? 'check' : 'dash',
      color: corrected > 0 ? 'queued' : fired > 0 ? 'passed' : 'skipped',
      contextValue: place === 'home' ? 'usage.home' : 'usage.skill',
      says: vscode.l10n.t('Skill {0}: {1}.', name, words),
      tooltip: () => [skillPath, `${words}.`, ...usageSentences(skill, t), ...shared].join('\n\n'),
      command: { command: 'vscode.open', title: vscode.l10n.t('Open Skill'), arguments: [vscode.Uri.file(skillPath)] },
    }),
    children: noChildren,
  };
}

/** What stands on the row of a skill that had to be corrected; undefined of any other. */
export function correctedWords(usage: SkillUsage | undefined): string | undefined {
  if (usage === undefined || usage.corrected === 0) return undefined;
  return vscode.l10n.t('corrected in {0} of {1} uses', usage.corrected, usage.fired);
}
