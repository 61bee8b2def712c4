import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { writtenName } from '../skills/writtenName.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import type { NotesFiles } from './notesFiles.js';

/** What the commands about notes work with. */
export interface NotesParts {
  readonly useCases: UseCasesSource;
  readonly notes: Promise<NotesFiles>;
}

/** “Open the Optimizer's Notes”: as a document; saving it stores what later runs of the skill begin with. */
export async function showNotes(skillPath: string, { useCases, notes }: NotesParts): Promise<void> {
  const files = await notes;
  await files.refresh(skillPath);
  await vscode.window.showTextDocument(files.uriOf(skillPath, await writtenName(skillPath)), { preview: false });
  if ((await (await useCases()).metaSkill(requestFor(skillPath), neverAborted())) !== '') return;
  void showInformation(
    vscode.l10n.t(
      'The optimizer has no notes on this skill yet. What you write and save here stands before its questions in every later run; it is never part of the skill.',
    ),
  );
}

/** “Forget the Optimizer's Notes”: after asking. The skill and its proposals stay as they are. */
export async function resetNotes(skillPath: string, { useCases, notes }: NotesParts): Promise<void> {
  const cases = await useCases();
  if ((await cases.metaSkill(requestFor(skillPath), neverAborted())) === '') {
    void showInformation(vscode.l10n.t('The optimizer has no notes on this skill.'));
    return;
  }
  const forget = vscode.l10n.t('Forget');
  const picked = await showWarning(
    vscode.l10n.t('Forget the notes of the optimizer on {0}?', await writtenName(skillPath)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'They are deleted for good, also what you wrote into them. The next run begins without notes. The skill, its proposal and its runs stay as they are.',
      ),
    },
    forget,
  );
  if (picked !== forget) return;
  await cases.writeMetaSkill({ ...requestFor(skillPath), text: '' }, neverAborted());
  await (await notes).refresh(skillPath);
  void showInformation(vscode.l10n.t('The notes are forgotten. The next run of the skill begins without any.'));
}
