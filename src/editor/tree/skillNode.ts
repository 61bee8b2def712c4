import * as vscode from 'vscode';
import type { FoundSkill } from '../foundSkill.js';
import type { TreeNode } from './treeNode.js';

/** One skill. */
export class SkillNode implements TreeNode {
  readonly id: string;
  readonly skill: FoundSkill;

  constructor(skill: FoundSkill) {
    this.id = `skill:${skill.realPath}`;
    this.skill = skill;
  }

  item(): vscode.TreeItem {
    const [path = this.skill.realPath] = this.skill.paths;
    const item = new vscode.TreeItem(this.skill.name, vscode.TreeItemCollapsibleState.None);
    const where = vscode.workspace.asRelativePath(vscode.Uri.file(path), false);
    item.id = this.id;
    item.iconPath = new vscode.ThemeIcon('mortar-board');
    item.description = where.replace(/[\\/]SKILL\.md$/, '');
    item.tooltip = this.skill.paths.join('\n');
    item.contextValue = 'skill';
    item.accessibilityInformation = { label: vscode.l10n.t('Skill {0} in {1}.', this.skill.name, item.description) };
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open Skill'),
      arguments: [vscode.Uri.file(path)],
    };
    return item;
  }

  children(): Promise<readonly TreeNode[]> {
    return Promise.resolve([]);
  }
}
