import * as vscode from 'vscode';
import { UserError } from '../errors.js';
import type { Overviews } from './overviews.js';
import type { WorkshopSource } from './workbench.js';

const scheme = 'whetstone-answer';

/** Stored answers as read-only documents, side by side: what the model said before and after. */
export class AnswerDocuments implements vscode.TextDocumentContentProvider {
  readonly #workshop: WorkshopSource;

  constructor(workshop: WorkshopSource) {
    this.#workshop = workshop;
  }

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const workshop = await this.#workshop();
    const text = uri.query === '' ? undefined : await workshop.text(uri.query);
    return text ?? vscode.l10n.t('This answer is no longer stored: answers are kept for 30 days.');
  }
}

/** Opens the two answers to one held-out task of the pending proposal. */
export async function showAnswers(overviews: Overviews, skillPath: string, taskId: string): Promise<void> {
  const { pending } = await overviews.of(skillPath);
  const answers = pending?.proposal.answers[taskId];
  if (answers === undefined) {
    throw new UserError(
      'proposal-missing',
      vscode.l10n.t('No answers are stored for the task {0}.', taskId),
      vscode.l10n.t('Optimize the skill again.'),
    );
  }
  const [before, after] = answers.map((hash, index) =>
    vscode.Uri.from({
      scheme,
      path: `/${taskId}/${index === 0 ? vscode.l10n.t('before') : vscode.l10n.t('after')}.md`,
      query: hash ?? '',
    }),
  );
  await vscode.commands.executeCommand(
    'vscode.diff',
    before,
    after,
    vscode.l10n.t('{0}: answer before ↔ after', taskId),
    { preview: true },
  );
}
