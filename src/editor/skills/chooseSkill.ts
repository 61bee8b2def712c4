import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { SkillCatalog } from './skillCatalog.js';

/** Whatever a command may be called with: a file or folder of the explorer, a row of the tree, a path, or nothing. */
export async function chooseSkill(catalog: SkillCatalog, given: unknown): Promise<string> {
  return skillOf(given) ?? activeSkill() ?? pickSkill(catalog);
}

/** The skill that a command was pointed at; undefined where it was not. */
export function skillOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (given instanceof vscode.Uri)
    return given.scheme === 'file' || given.scheme === 'vscode-remote' ? given.fsPath : undefined;
  if (typeof given !== 'object' || given === null || !('skillPath' in given)) return undefined;
  return typeof given.skillPath === 'string' ? given.skillPath : undefined;
}

/** The menu of an editor hands over the file that it shows, whatever that is: only a SKILL.md is a skill. */
export function ifSkill(given: unknown): unknown {
  return given instanceof vscode.Uri && !given.path.endsWith('/SKILL.md') ? undefined : given;
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
