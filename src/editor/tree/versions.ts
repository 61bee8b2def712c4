import * as vscode from 'vscode';
import { neverAborted } from '../cancellation.js';
import type { Overviews } from '../skills/overviews.js';
import { agreeIfOpen } from '../review/documents/agreeWithDisk.js';
import { requestFor, type UseCasesSource } from '../workbench.js';
import { versionUri } from './versionDocuments.js';
import type { AdoptionsUnderWay } from '../../review/adoptionsUnderWay.js';
import { showInformation, showWarning } from '../shown/messages.js';
import { openDiff, openDiffs } from '../shown/documents.js';

/** Opens what one change did to the skill, a diff for each file that it changed. */
export async function showVersion(skillPath: string, version: string, overviews: Overviews): Promise<void> {
  const title = vscode.l10n.t('Version {0}: what it changed', version);
  const [first, ...more] = await filesOf(skillPath, version, overviews);
  const sides = (file?: string): [vscode.Uri, vscode.Uri] => [
    versionUri(skillPath, { version, file }, 'before'),
    versionUri(skillPath, { version, file }, 'after'),
  ];
  if (first === undefined || more.length === 0) return openDiff(...sides(), title);
  await openDiffs(
    title,
    [first, ...more].map((file) => [vscode.Uri.file(file), ...sides(file)]),
  );
}

/** Opens what became since a version of each file that it changed, and of those that changed after it. */
export async function compareVersion(skillPath: string, version: string, overviews: Overviews): Promise<void> {
  const title = vscode.l10n.t('Version {0}: what changed since', version);
  const [first = skillPath, ...more] = await filesSince(skillPath, version, overviews);
  if (more.length === 0) return openDiff(versionUri(skillPath, { version }, 'after'), vscode.Uri.file(first), title);
  const rows = [first, ...more].map((file): [vscode.Uri, vscode.Uri, vscode.Uri] => {
    const now = vscode.Uri.file(file);
    return [now, versionUri(skillPath, { version, file }, 'after'), now];
  });
  await openDiffs(title, rows);
}

async function filesSince(skillPath: string, version: string, overviews: Overviews): Promise<readonly string[]> {
  const { history } = await overviews.of(skillPath);
  const [own, later] = [
    history.filter(({ id }) => id === version),
    history.filter(({ id }) => Number(id) > Number(version)),
  ];
  return [...new Set([...own, ...later].flatMap(({ files }) => files))];
}

async function filesOf(skillPath: string, version: string, overviews: Overviews): Promise<readonly string[]> {
  const { history } = await overviews.of(skillPath);
  return history.find(({ id }) => id === version)?.files ?? [];
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
