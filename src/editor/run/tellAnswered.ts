import * as vscode from 'vscode';
import { runCommand } from '../commands/runCommand.js';
import { reportError } from '../reportError.js';
import { showInformation } from '../shown/messages.js';
import { shownName, type KnownSkill } from '../tree/skillNode.js';

/**
 * Looks at what the trees know anyway, and says once of each round that the last of its prompts was answered. What had its
 * answers when the window was opened is told by its row alone, and so is a measurement: no command goes on with it.
 */
export function answersFollower(): (skills: readonly KnownSkill[]) => void {
  const open = new Set<string>();
  return (skills) => {
    for (const known of skills)
      for (const { folder, waiting, run } of known.overview?.handed ?? []) {
        if (waiting > 0) open.add(folder);
        else if (open.delete(folder) && run !== undefined && known.running === undefined)
          void tellAnswered(known, run).catch(reportError);
      }
  };
}

async function tellAnswered(known: KnownSkill, runId: string): Promise<void> {
  const goOn = vscode.l10n.t('Go On');
  const message = vscode.l10n.t('{0}: all prompts are answered. The run can go on.', shownName(known));
  if ((await showInformation(message, goOn)) === goOn)
    await runCommand('whetstone.resumeRun', { skillPath: known.skill.realPath, runId });
}
