import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../skills/overviews.js';
import { requestFor } from '../workbench.js';
import type { NotesParts } from '../notes/notesCommands.js';
import { showInformation, showWarning } from '../shown/messages.js';

/** “Delete All Data of This Skill”: everything that Whetstone keeps about it, after asking. The skill itself stays. */
export async function deleteSkillData(
  skillPath: string,
  { useCases, notes, overviews }: NotesParts & { readonly overviews: Overviews },
): Promise<void> {
  const remove = vscode.l10n.t('Delete');
  const picked = await showWarning(
    vscode.l10n.t('Delete all data of this skill?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Runs, the waiting proposal, decisions, the notes of the optimizer, history and its backups are deleted for good, and the error budget: how often its held-out tasks were measured on is forgotten. The skill and its tasks stay as they are.',
      ),
    },
    remove,
  );
  if (picked !== remove) return;
  const { runs } = await (await useCases()).cleanData(requestFor(skillPath), neverAborted());
  overviews.refresh(skillPath);
  await (await notes).refresh(skillPath);
  const counted = runs === 1 ? vscode.l10n.t('1 run') : vscode.l10n.t('{0} runs', runs);
  void showInformation(
    vscode.l10n.t('All data of the skill is deleted, {0} among it. The skill is as it was.', counted),
  );
}
