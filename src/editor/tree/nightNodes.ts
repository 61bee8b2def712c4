import * as vscode from 'vscode';
import type { SettledNight } from '../../schedule/scheduleState.js';
import type { NightResult, NightSkillResult } from '../../app/nights/nightResult.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { retold } from '../../wording/translate.js';

/** What is remembered of nights. */
export interface RememberedNights {
  readonly nights: readonly NightResult[];
  /** What became of the last night that was due. */
  readonly settled: SettledNight | undefined;
}

/** A row and the moment that it is about. */
export interface TimedNode {
  readonly at: number;
  readonly node: TreeNode;
}

/** Nights that did not run, and skills that a night left out, each with the reason. What ran is listed as a run. */
export function nightNodes({ nights, settled }: RememberedNights): readonly TimedNode[] {
  return [
    ...(settled?.kind === 'skip' ? [{ at: settled.at, node: skippedNode(settled.due, retold(settled.sentence)) }] : []),
    ...nights.flatMap((night) => {
      const [stop] = night.stops;
      const at = night.startedAt;
      if (stop !== undefined) return [{ at, node: skippedNode(at, retold(`${stop.sentence} ${stop.cure}`.trim())) }];
      const leftOut = night.skills.filter(({ outcome }) => outcome === 'skipped');
      return leftOut.length === 0 ? [] : [{ at, node: leftOutNode(night, leftOut) }];
    }),
  ];
}

function skippedNode(at: number, why: string): TreeNode {
  const when = new Date(at).toLocaleString(vscode.env.language);
  return {
    id: `night:${at}`,
    row: () => ({
      label: vscode.l10n.t('Night'),
      description: [vscode.l10n.t('skipped'), when].join(' · '),
      icon: 'circle-slash',
      color: 'skipped',
      contextValue: 'night.skipped',
      says: vscode.l10n.t('The night of {0} was skipped. {1}', when, why),
      tooltip: () => why,
    }),
    children: noChildren,
  };
}

function leftOutNode(night: NightResult, leftOut: readonly NightSkillResult[]): TreeNode {
  const when = new Date(night.startedAt).toLocaleString(vscode.env.language);
  const count = vscode.l10n.t('{0} of {1} skills left out', leftOut.length, night.skills.length);
  const id = `night:${night.startedAt}`;
  return {
    id,
    row: () => ({
      label: vscode.l10n.t('Night'),
      description: [count, when].join(' · '),
      icon: 'circle-slash',
      color: 'skipped',
      state: 'collapsed',
      contextValue: 'night.leftOut',
      says: vscode.l10n.t('The night of {0}: {1}, each with its reason.', when, count),
      tooltip: () => leftOut.map(({ name, reason }) => `${name}: ${retold(reason)}`).join('\n\n'),
    }),
    children: () => Promise.resolve(leftOut.map((skill) => leftOutSkillNode(id, skill))),
  };
}

function leftOutSkillNode(night: string, { skillPath, name, reason: stored }: NightSkillResult): TreeNode {
  const reason = retold(stored);
  return {
    id: `${night}:${skillPath}`,
    skillPath,
    row: () => ({
      label: name,
      description: vscode.l10n.t('skipped'),
      icon: 'dash',
      color: 'skipped',
      contextValue: 'night.skill',
      says: vscode.l10n.t('{0} was left out. {1}', name, reason),
      tooltip: () => reason,
    }),
    children: noChildren,
  };
}
