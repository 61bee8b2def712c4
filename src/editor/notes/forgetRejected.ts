import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import { showInformation, showWarning } from '../shown/messages.js';
import type { Overviews } from '../skills/overviews.js';
import { writtenName } from '../skills/writtenName.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

/** “Forget Edits Not Taken”: after asking. The optimizer is told of them no more, and may propose them again. */
export async function forgetRejected(
  skillPath: string,
  { useCases, overviews }: { readonly useCases: UseCasesSource; readonly overviews: Overviews },
): Promise<void> {
  const { rejected } = await overviews.of(skillPath);
  if (rejected.length === 0) {
    void showInformation(vscode.l10n.t('There is no edit of this skill that was not taken.'));
    return;
  }
  const forget = vscode.l10n.t('Forget');
  const picked = await showWarning(
    vscode.l10n.t('Forget the edits of {0} that were not taken?', await writtenName(skillPath)),
    {
      modal: true,
      detail: vscode.l10n.t(
        'The optimizer is told of them, so that it does not propose them again: {0}. From the next run on it may. The skill, its proposal and its runs stay as they are.',
        rejected.length,
      ),
    },
    forget,
  );
  if (picked !== forget) return;
  await (await useCases()).forgetRejected(requestFor(skillPath), neverAborted());
  overviews.refresh(skillPath);
}
