import * as vscode from 'vscode';
import type { AdoptionsUnderWay } from '../adoptionsUnderWay.js';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../skills/overviews.js';
import { agreeIfOpen } from '../review/agreeWithDisk.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

interface UndoParts {
  readonly useCases: UseCasesSource;
  readonly overviews: Overviews;
  readonly adoptions: Pick<AdoptionsUnderWay, 'settled'>;
}

/** Takes the last adoption back, byte for byte; one that was made this very moment as well. */
export async function undoAdoption(skillPath: string, { useCases, overviews, adoptions }: UndoParts): Promise<void> {
  await adoptions.settled(skillPath);
  await (await useCases()).undo(requestFor(skillPath), neverAborted());
  await agreeIfOpen(vscode.Uri.file(skillPath));
  overviews.refresh(skillPath);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The last adoption is undone: the skill is as it was before.'),
  );
}
