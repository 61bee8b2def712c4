import * as vscode from 'vscode';
import type { SettledNight } from '../../schedule/scheduleState.js';
import type { NightResult, NightSkillResult } from '../../app/nights/nightResult.js';
import { nightLine } from '../../wording/harvest/nightLine.js';
import { retold, t } from '../../wording/translate.js';
import { sessionNotes } from '../nightly/nightWords.js';
import { noChildren, type TreeNode } from './treeNode.js';

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

/** Each night in a line, those that did not run with the reason. What ran in one is listed as runs beneath it. */
export function nightNodes({ nights, settled }: RememberedNights): readonly TimedNode[] {
  return [
    ...(settled?.kind === 'skip' ? [{ at: settled.at, node: skippedNode(settled.due, retold(settled.sentence)) }] : []),
    ...nights.map((night) => {
      const [stop] = night.stops;
      if (stop === undefined) return { at: night.endedAt, node: ranNode(night) };
      const why = [retold(`${stop.sentence} ${stop.cure}`.trim()), ...sessionNotes(night)].join(' ');
      return { at: night.startedAt, node: skippedNode(night.startedAt, why, nightLine(night, t)) };
    }),
  ];
}

function skippedNode(at: number, why: string, line = ''): TreeNode {
  const when = new Date(at).toLocaleString(vscode.env.language);
  return {
    id: `night:${at}`,
    row: () => ({
      label: vscode.l10n.t('Night'),
      description: [vscode.l10n.t('skipped'), line, when].filter((part) => part !== '').join(' · '),
      icon: 'circle-slash',
      color: 'skipped',
      contextValue: 'night.skipped',
      says: vscode.l10n.t('The night of {0} was skipped. {1}', when, why),
      tooltip: () => why,
    }),
    children: noChildren,
  };
}

/** What it came to, and beneath it the skills that it left out. */
function ranNode(night: NightResult): TreeNode {
  const when = new Date(night.startedAt).toLocaleString(vscode.env.language);
  const line = nightLine(night, t);
  const leftOut = night.skills.filter(({ outcome }) => outcome === 'skipped');
  const count = vscode.l10n.t('{0} of {1} skills left out', leftOut.length, night.skills.length);
  const id = `night:${night.startedAt}`;
  const isWhole = leftOut.length === 0;
  return {
    id,
    row: () => ({
      label: vscode.l10n.t('Night'),
      description: [line, ...(isWhole ? [] : [count]), when].join(' · '),
      icon: 'history',
      state: isWhole ? 'leaf' : 'collapsed',
      contextValue: isWhole ? 'night.ran' : 'night.leftOut',
      says: isWhole
        ? vscode.l10n.t('The night of {0}: {1}.', when, line)
        : vscode.l10n.t('The night of {0}: {1}. {2}, each with its reason.', when, line, count),
      tooltip: () =>
        [
          line,
          ...sessionNotes(night),
          ...(night.fleet === undefined ? [] : [retold(night.fleet)]),
          ...night.skills.filter(({ stop }) => stop !== 'later-night').map((skill) => `${skill.name}: ${whyOf(skill)}`),
        ].join('\n\n'),
    }),
    children: () => Promise.resolve(leftOut.map((skill) => leftOutSkillNode(id, skill))),
  };
}

/** What became of a skill, and why it had its place where there was no room for all. */
function whyOf({ reason, place }: NightSkillResult): string {
  return [reason, ...(place === undefined ? [] : [place])].map(retold).join(' ');
}

function leftOutSkillNode(night: string, skill: NightSkillResult): TreeNode {
  const { skillPath, name } = skill;
  const reason = whyOf(skill);
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
