import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { SkillChoice } from '../commands/commands.js';
import type { SkillCatalog } from './skillCatalog.js';

/** The skill that a command was pointed at, else the one in front of the person, else the one they pick. */
export async function chooseSkill(catalog: SkillCatalog, given: SkillChoice): Promise<string> {
  return given ?? activeSkill() ?? pickSkill(catalog);
}

/** The skill in front of the person: its file, or the file whose proposal they review. */
function activeSkill(): string | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown =
    input instanceof vscode.TabInputTextDiff ? input.original : vscode.window.activeTextEditor?.document.uri;
  return shown?.path.endsWith('/SKILL.md') === true ? shown.fsPath : undefined;
}

async function pickSkill(catalog: SkillCatalog): Promise<string> {
  const skills = await catalog.skills();
  if (skills.length === 0) {
    throw new UserError(
      'skill-missing',
      vscode.l10n.t('No SKILL.md was found in the open folders.'),
      vscode.l10n.t('Open a folder that holds a skill.'),
    );
  }
  const picked = await vscode.window.showQuickPick(
    skills.map((skill) => ({ label: skill.name, description: vscode.workspace.asRelativePath(skill.realPath), skill })),
    { title: vscode.l10n.t('Which skill?'), matchOnDescription: true },
  );
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.skill.realPath;
}
