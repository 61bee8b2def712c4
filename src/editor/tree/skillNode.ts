import * as vscode from 'vscode';
import type { LiveRun } from '../run/progressMessage.js';
import type { SkillOverview } from '../../app/results/overview.js';
import type { FoundSkill } from '../skills/discoverSkills.js';
import { candidateNodes } from './candidateNodes.js';
import { type EditChoices, proposedNode } from './editNodes.js';
import { gateNode } from './gateNode.js';
import { historyNode } from './historyNodes.js';
import { leftOutNodes, rejectedNodes } from './notTakenNodes.js';
import { runWord, skillState, trainingRuns } from './skillState.js';
import { tasksNode } from './taskNodes.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { countDecisions } from '../../wording/decidedEdits.js';
import { shortRun } from '../../wording/shortVerdict.js';
import { retold } from '../../wording/translate.js';

/** What is known of a skill right now. */
export interface KnownSkill {
  readonly skill: FoundSkill;
  /** Undefined until it was looked at. */
  readonly overview: SkillOverview | undefined;
  /** Why it could not be looked at. */
  readonly trouble: string | undefined;
  /** What was adopted of it, where it could not be looked at: an earlier version can be restored. */
  readonly versions?: SkillOverview['history'];
  /** The folder that tells it from others of its name; undefined where there are none. */
  readonly where?: string | undefined;
  readonly running: (LiveRun & { readonly capUsd: number | undefined }) | undefined;
}

/** The name in its front matter, as everywhere; its folder's until it was looked at. */
export function shownName({ skill, overview }: Pick<KnownSkill, 'skill' | 'overview'>): string {
  return overview?.name ?? skill.name;
}

/** One skill: where it stands in a few words, and beneath it the gate, the edits, the tasks and the history. */
export function skillNode(known: KnownSkill, choices: EditChoices, look: () => Promise<KnownSkill>): TreeNode {
  const { skill } = known;
  const skillPath = skill.realPath;
  const [path = skillPath] = skill.paths;
  return {
    id: `skill:${skillPath}`,
    skillPath,
    row: () => {
      const state = skillState(known);
      const where = vscode.workspace.asRelativePath(vscode.Uri.file(path), false).replace(/[\\/]SKILL\.md$/, '');
      return {
        label: shownName(known),
        description: known.where === undefined ? state.words : `${known.where} · ${state.words}`,
        icon: state.icon,
        color: state.color,
        state: 'collapsed',
        contextValue: state.contextValue,
        says: vscode.l10n.t('Skill {0} in {1}: {2}.', shownName(known), where, state.words.replace(/\.$/, '')),
        tooltip: () => [...skill.paths, ...state.more].join('\n\n'),
        command: { command: 'vscode.open', title: vscode.l10n.t('Open Skill'), arguments: [vscode.Uri.file(path)] },
      };
    },
    children: async () => nodesOf(known.overview === undefined ? await look() : known, choices),
  };
}

function nodesOf({ skill, overview, trouble, versions = [] }: KnownSkill, choices: EditChoices): readonly TreeNode[] {
  const skillPath = skill.realPath;
  if (overview === undefined) {
    return [
      troubleNode(skillPath, trouble ?? vscode.l10n.t('Nothing is known yet.')),
      ...(versions.length === 0 ? [] : [historyNode(skillPath, versions)]),
    ];
  }
  const { pending, tasks, history, rejected } = overview;
  return [
    ...(pending === undefined
      ? lastRunNodes(skillPath, overview)
      : [
          gateNode(skillPath, pending.proposal, {
            isTaken: ['measured', 'unmeasured'].includes(overview.measurement.kind),
            edits: countDecisions(pending.proposal, pending.decisions),
          }),
          proposedNode(skillPath, pending, choices),
          ...candidateNodes(skillPath, pending.proposal),
          ...leftOutNodes(skillPath, pending),
        ]),
    ...rejectedNodes(skillPath, rejected),
    ...(tasks === undefined
      ? [troubleNode(skillPath, overview.trouble ?? vscode.l10n.t('No tasks yet.'))]
      : [tasksNode(skillPath, tasks)]),
    ...(history.length === 0 ? [] : [historyNode(skillPath, history)]),
  ];
}

/** Why nothing is proposed always has an answer: the last run's own words. */
function lastRunNodes(skillPath: string, overview: SkillOverview): readonly TreeNode[] {
  const [last] = trainingRuns(overview);
  if (last === undefined) return [];
  const reason = shortRun(last);
  return [
    {
      id: `lastrun:${skillPath}`,
      skillPath,
      row: () => ({
        label: vscode.l10n.t('Last run'),
        description: runWord(last),
        icon: 'info',
        contextValue: 'lastRun',
        says: vscode.l10n.t('Last run: {0}', reason === '' ? vscode.l10n.t('it did not end.') : reason),
        tooltip: () => [reason, ...last.notes.map(retold)].join('\n\n'),
      }),
      children: noChildren,
    },
  ];
}

function troubleNode(skillPath: string, words: string): TreeNode {
  return {
    id: `trouble:${skillPath}`,
    skillPath,
    row: () => ({
      label: retold(words),
      icon: 'warning',
      color: 'queued',
      contextValue: 'trouble',
      says: /[.!?]$/.test(words) ? words : `${words}.`,
      tooltip: () => words,
    }),
    children: noChildren,
  };
}
