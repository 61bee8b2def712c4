import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import { UserError } from '../../errors.js';
import type { SkillsTree } from './skillsTree.js';

/** Accepts the open edits whose boxes are checked, as the review would; those that are not checked stay open. */
export async function acceptChecked(tree: SkillsTree, skillPath: string): Promise<void> {
  const edits = tree.checkedEdits(skillPath);
  if (edits.length === 0) {
    throw new UserError(
      'usage',
      vscode.l10n.t('No open edit of this skill is checked.'),
      vscode.l10n.t('Check the edits that you want, then accept them.'),
    );
  }
  await runCommand('whetstone.acceptHunk', { skillPath, edits });
}
