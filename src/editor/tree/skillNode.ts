import * as vscode from 'vscode';
import type { LiveRun } from '../run/progressMessage.js';
import type { SkillUsage } from '../../app/harvest/usageMap.js';
import type { SkillOverview } from '../../app/results/overview.js';
import type { FoundSkill } from '../skills/discoverSkills.js';
import { correctedWords } from '../harvest/usageNode.js';
import { skillState } from './skillState.js';
import type { TreeNode } from './treeNode.js';

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
  /** How often agents used it in past sessions; undefined where nobody counted. */
  readonly usage?: SkillUsage | undefined;
  readonly running: (LiveRun & { readonly capUsd: number | undefined }) | undefined;
}

/** The rows beneath a skill. */
export type RowsBeneath = (known: KnownSkill) => Promise<readonly TreeNode[]>;

/** The name in its front matter, as everywhere; its folder's until it was looked at. */
export function shownName({ skill, overview }: Pick<KnownSkill, 'skill' | 'overview'>): string {
  return overview?.name ?? skill.name;
}

/** One skill: where it stands in a few words, and beneath it the gate, the edits, the tasks and the history. */
export function skillNode(known: KnownSkill, rowsBeneath: RowsBeneath, look: () => Promise<KnownSkill>): TreeNode {
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
        description: [known.where, state.words, correctedWords(known.usage)]
          .filter((each) => each !== undefined)
          .join(' · '),
        icon: state.icon,
        color: state.color,
        state: 'collapsed',
        contextValue: state.contextValue,
        says: vscode.l10n.t('Skill {0} in {1}: {2}.', shownName(known), where, state.words.replace(/\.$/, '')),
        tooltip: () => [...skill.paths, ...state.more].join('\n\n'),
        command: { command: 'vscode.open', title: vscode.l10n.t('Open Skill'), arguments: [vscode.Uri.file(path)] },
      };
    },
    children: async () => rowsBeneath(known.overview === undefined ? await look() : known),
  };
}
