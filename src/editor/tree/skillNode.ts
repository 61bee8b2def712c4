import * as vscode from 'vscode';
import { messageOf } from '../../errors.js';
import type { SkillOverview } from '../../workshop/workshop.js';
import type { FoundSkill } from '../foundSkill.js';
import type { Overviews } from '../overviews.js';
import { progressMessage } from '../run/progressMessage.js';
import { editGroups } from './editNodes.js';
import { gateNode } from './gateNode.js';
import { historyNode } from './historyNodes.js';
import { rowItem, type Row } from './row.js';
import { tasksNode } from './taskNodes.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { scoresText, verdictWords } from './verdictWords.js';

interface SkillState {
  readonly words: string;
  readonly icon: string;
  readonly color?: Row['color'];
  readonly contextValue: string;
}

/** One skill: where it stands in a few words, and beneath it the gate, the edits, the tasks and the history. */
export class SkillNode implements TreeNode {
  readonly id: string;
  readonly skillPath: string;
  readonly skill: FoundSkill;
  readonly #overviews: Overviews;
  #overview: SkillOverview | undefined;
  #trouble = '';

  constructor(skill: FoundSkill, overviews: Overviews) {
    this.id = `skill:${skill.realPath}`;
    this.skillPath = skill.realPath;
    this.skill = skill;
    this.#overviews = overviews;
  }

  item(): vscode.TreeItem {
    const [path = this.skill.realPath] = this.skill.paths;
    const where = vscode.workspace.asRelativePath(vscode.Uri.file(path), false).replace(/[\\/]SKILL\.md$/, '');
    const state = this.#state();
    return rowItem({
      id: this.id,
      label: this.skill.name,
      description: state.words,
      icon: state.icon,
      color: state.color,
      state: 'collapsed',
      contextValue: state.contextValue,
      says: vscode.l10n.t('Skill {0} in {1}: {2}.', this.skill.name, where, state.words),
      tooltip: this.skill.paths.join('\n'),
      command: { command: 'vscode.open', title: vscode.l10n.t('Open Skill'), arguments: [vscode.Uri.file(path)] },
    });
  }

  async children(): Promise<readonly TreeNode[]> {
    await this.look();
    if (this.#overview === undefined) return [troubleNode(this.skillPath, this.#trouble)];
    return nodesOf(this.skillPath, this.#overview);
  }

  /** Reads where the skill stands; what cannot be read is said in its row. */
  async look(): Promise<void> {
    try {
      this.#overview = await this.#overviews.of(this.skillPath);
    } catch (error) {
      this.#overview = undefined;
      this.#trouble = messageOf(error);
    }
  }

  get pending(): boolean {
    return this.#overview?.pending !== undefined;
  }

  #state(): SkillState {
    const running = this.#overviews.running(this.skillPath);
    if (running !== undefined)
      return { words: progressMessage(running, undefined), icon: 'sync~spin', contextValue: 'skill.running' };
    const overview = this.#overview;
    if (overview === undefined)
      return { words: vscode.l10n.t('not looked at yet'), icon: 'mortar-board', contextValue: 'skill' };
    const { pending } = overview;
    if (pending !== undefined) return pendingState(pending);
    if (overview.tasks === undefined)
      return {
        words: overview.trouble ?? vscode.l10n.t('no tasks yet'),
        icon: 'mortar-board',
        contextValue: 'skill.withoutTasks',
      };
    const [last] = overview.runs;
    return {
      words: last === undefined ? vscode.l10n.t('not trained yet') : last.reason,
      icon: 'mortar-board',
      contextValue: 'skill',
    };
  }
}

function pendingState({ proposal, decisions, own }: NonNullable<SkillOverview['pending']>): SkillState {
  const { word, icon, color } = verdictWords(proposal.verdict);
  const open = proposal.documents
    .flatMap((document) => document.edits)
    .filter(({ id }) => decisions[id] === undefined).length;
  const scores = scoresText(proposal.verdict);
  const words = [
    scores,
    own ? word : vscode.l10n.t('made elsewhere, not measured here'),
    vscode.l10n.t('{0} edits pending', open),
  ];
  return { words: words.filter((part) => part !== undefined).join(' · '), icon, color, contextValue: 'skill.pending' };
}

function nodesOf(skillPath: string, overview: SkillOverview): readonly TreeNode[] {
  const { pending, tasks, history, trouble } = overview;
  return [
    ...(pending === undefined ? [] : [gateNode(skillPath, pending.proposal), ...editGroups(skillPath, pending)]),
    ...(pending === undefined ? lastRunNodes(skillPath, overview) : []),
    ...(tasks === undefined
      ? [troubleNode(skillPath, trouble ?? vscode.l10n.t('No tasks yet.'))]
      : [tasksNode(skillPath, tasks)]),
    ...(history.length === 0 ? [] : [historyNode(skillPath, history)]),
  ];
}

/** Why nothing is proposed always has an answer: the last run's own words. */
function lastRunNodes(skillPath: string, { runs }: SkillOverview): readonly TreeNode[] {
  const [last] = runs;
  if (last === undefined) return [];
  const id = `lastrun:${skillPath}`;
  return [
    {
      id,
      skillPath,
      item: () =>
        rowItem({
          id,
          label: vscode.l10n.t('Last run'),
          description: last.reason,
          icon: 'info',
          contextValue: 'lastRun',
          says: vscode.l10n.t('Last run: {0}', last.reason),
          tooltip: last.reason,
        }),
      children: noChildren,
    },
  ];
}

function troubleNode(skillPath: string, words: string): TreeNode {
  const id = `trouble:${skillPath}`;
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: words,
        icon: 'warning',
        color: 'queued',
        contextValue: 'trouble',
        says: words,
        tooltip: words,
      }),
    children: noChildren,
  };
}
