import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { TaskChange } from '../../tasks/writeTasks.js';
import { neverAborted } from '../cancellation.js';
import { taskFile } from './taskFile.js';
import type { Overviews } from '../skills/overviews.js';
import type { VirtualTexts } from '../virtualTexts.js';
import { requestFor, type UseCasesSource } from '../workbench.js';

/** What the commands on tasks work with. */
export interface TaskParts {
  readonly useCases: UseCasesSource;
  readonly overviews: Overviews;
  readonly texts: VirtualTexts;
}

/** Makes one change to the task files on disk. Refuses while one of them has unsaved changes, which it would outrun. */
export async function applyChange(
  skillPath: string,
  { useCases, overviews }: Pick<TaskParts, 'useCases' | 'overviews'>,
  change: TaskChange,
): Promise<void> {
  refuseUnsaved(skillPath);
  await (await useCases()).changeTasks({ ...requestFor(skillPath), change }, neverAborted());
  overviews.refresh(skillPath);
}

/** Throws where a task file of the skill stands in an editor with changes that are not on disk. */
export function refuseUnsaved(skillPath: string): void {
  const files = ['evals.json', 'whetstone.json'].map((name) => taskFile(skillPath, name).fsPath);
  const dirty = vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && files.includes(uri.fsPath));
  if (dirty === undefined) return;
  throw new UserError(
    'tasks-unsaved',
    vscode.l10n.t('{0} has changes that are not saved.', vscode.workspace.asRelativePath(dirty.uri)),
    vscode.l10n.t('Save it, then try again.'),
  );
}
