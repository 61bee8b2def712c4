import * as vscode from 'vscode';
import { confirmAttempts } from './confirmAttempts.js';
import { writtenName } from '../skills/writtenName.js';
import { runRequestFor } from './runRequestFor.js';
import { withRunProgress, type RunParts } from './withRunProgress.js';
import { count, percent } from '../../wording/amounts.js';
import { t } from '../../wording/translate.js';
import { showInformation } from '../shown/messages.js';

/**
 * Scores the skill as it is and writes `evals/record.json`, the file that a team commits and that `whetstone check`
 * compares with in CI. From then on adoptions keep it up to date; without this nobody begins one.
 */
export async function updateRecord(skillPath: string, parts: RunParts): Promise<void> {
  const useCases = await parts.useCases();
  if (!(await confirmAttempts(useCases, { chosen: [{ skillPath }], always: false }))) return;
  const title = vscode.l10n.t('Scoring {0} for its record', await writtenName(skillPath));
  const request = { ...runRequestFor(skillPath), update: true, allow: 0 };
  const recorded = await withRunProgress({ skillPath, title }, parts, (observe, signal) =>
    useCases.checkRecord(request, observe, signal),
  );
  void tellRecord(recorded, skillPath);
}

async function tellRecord(
  { skillName, now, tasks }: { readonly skillName: string; readonly now: number; readonly tasks: number },
  skillPath: string,
): Promise<void> {
  const open = vscode.l10n.t('Open Record');
  const picked = await showInformation(
    vscode.l10n.t(
      '{0}: {1} over {2} is written to evals/record.json. Commit it, and let “whetstone check” compare with it in CI.',
      skillName,
      percent(now),
      count(tasks, 'task', t),
    ),
    open,
  );
  const file = vscode.Uri.joinPath(vscode.Uri.file(skillPath), '..', 'evals', 'record.json');
  if (picked === open) await vscode.window.showTextDocument(file);
}
