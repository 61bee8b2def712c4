import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../skills/overviews.js';
import { agreeIfOpen } from '../review/documents/agreeWithDisk.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import { versionUri } from './versionDocuments.js';
import type { AdoptionsUnderWay } from '../../review/adoptionsUnderWay.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { openDiff } from '../shown/documents.js';

/** Opens what one change did to the skill. */
export async function showVersion(skillPath: string, version: string): Promise<void> {
  const [before, after] = [versionUri(skillPath, version, 'before'), versionUri(skillPath, version, 'after')];
  const title = vscode.l10n.t('Version {0}: what it changed', version);
  await openDiff(before, after, title);
}

/** Opens what became of the skill, or of its memory file, since a version. */
export async function compareVersion(skillPath: string, version: string, overviews: Overviews): Promise<void> {
  const { history } = await overviews.of(skillPath);
  const [file = skillPath] = history.find(({ id }) => id === version)?.files ?? [];
  const title = vscode.l10n.t('Version {0}: what changed since', version);
  const [then, now] = [versionUri(skillPath, version, 'after'), vscode.Uri.file(file)];
  await openDiff(then, now, title);
}

/** Writes a version back, after asking. What stands there now is kept and can be brought back the same way. */
export async function restoreVersion(
  { skillPath, version }: { readonly skillPath: string; readonly version: string },
  { useCases, overviews }: { readonly useCases: UseCasesSource; readonly overviews: Overviews },
): Promise<void> {
  const restore = vscode.l10n.t('Restore');
  const picked = await showWarning(
    vscode.l10n.t('Write version {0} back into the skill?', version),
    { modal: true, detail: vscode.l10n.t('What stands there now is kept in the history and can be restored.') },
    restore,
  );
  if (picked !== restore) return;
  const { files } = await (await useCases()).restore({ ...requestFor(skillPath), version }, neverAborted());
  for (const file of files) await agreeIfOpen(vscode.Uri.file(file));
  overviews.refresh(skillPath);
  void showInformation(vscode.l10n.t('Version {0} is restored.', version));
}

interface UndoParts {
  readonly useCases: UseCasesSource;
  readonly overviews: Overviews;
  readonly adoptions: Pick<AdoptionsUnderWay, 'settled'>;
}

/** Takes the last adoption back, byte for byte; one that was made this very moment as well. */
export async function undoAdoption(skillPath: string, { useCases, overviews, adoptions }: UndoParts): Promise<void> {
  await adoptions.settled(skillPath);
  const { files, takenBack } = await (await useCases()).undo(requestFor(skillPath), neverAborted());
  for (const file of files) await agreeIfOpen(vscode.Uri.file(file));
  overviews.refresh(skillPath);
  const edits = takenBack.length === 0 ? '' : ` (${takenBack.join(', ')})`;
  void showInformation(vscode.l10n.t('The last adoption{0} is undone: the skill is as it was before it.', edits));
}
