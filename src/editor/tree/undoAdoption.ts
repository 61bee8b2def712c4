import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../overviews.js';
import { requestFor, type WorkshopSource } from '../workbench.js';

/** Takes the last adoption back, byte for byte. */
export async function undoAdoption(
  skillPath: string,
  { workshop, overviews }: { readonly workshop: WorkshopSource; readonly overviews: Overviews },
): Promise<void> {
  await (await workshop()).undo(requestFor(skillPath), neverAborted());
  overviews.refresh(skillPath);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The last adoption is undone: the skill is as it was before.'),
  );
}
