import * as vscode from 'vscode';
import { UserError } from '../errors.js';
import type { AnswerChecks } from '../app/results/answerChecks.js';
import { neverAborted } from './cancellation.js';
import type { Overviews } from './skills/overviews.js';
import { requestFor, type UseCasesSource } from './workbench.js';
import { shownLine } from '../wording/shownText.js';
import { retold } from '../wording/translate.js';
import { openDiff } from './shown/documents.js';

const scheme = 'whetstone-answer';

/** Stored answers as read-only documents: what the model said, and what the checks say of it. */
export class AnswerDocuments implements vscode.TextDocumentContentProvider {
  readonly #useCases: UseCasesSource;

  constructor(useCases: UseCasesSource) {
    this.#useCases = useCases;
  }

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const query = new URLSearchParams(uri.query);
    const [skillPath, taskId, answerHash] = ['skill', 'task', 'answer'].map((name) => query.get(name) ?? '');
    if (answerHash === undefined || answerHash === '') return vscode.l10n.t('There is no answer on this side.');
    const useCases = await this.#useCases();
    const checked = await useCases
      .answerChecks({ ...requestFor(skillPath ?? ''), taskId: taskId ?? '', answerHash }, neverAborted())
      .catch(() => undefined);
    if (checked !== undefined) return answerText(checked);
    return (
      (await useCases.text(answerHash)) ??
      vscode.l10n.t('This answer is no longer stored: answers are kept for 30 days.')
    );
  }
}

function answerText({ prompt, answer, checks }: AnswerChecks): string {
  const marks = { pass: '✓', fail: '✗', unknown: '?' } as const;
  const lines = checks.map(
    ({ outcome, criterion, reason }) => `- ${marks[outcome]} ${retold(criterion)}\n  ${retold(reason)}`,
  );
  return [
    part(vscode.l10n.t('Checks'), lines.join('\n')),
    part(vscode.l10n.t('Answer'), answer),
    part(vscode.l10n.t('Task'), prompt),
  ].join('\n');
}

function part(title: string, text: string): string {
  return `# ${title}\n\n${text}\n`;
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
  const side = (name: string, hash: string | undefined): vscode.Uri =>
    vscode.Uri.from({
      scheme,
      path: `/${shownLine(taskId)}/${name}.md`,
      query: new URLSearchParams({ skill: skillPath, task: taskId, answer: hash ?? '' }).toString(),
    });
  const [before, after] = [side(vscode.l10n.t('before'), answers[0]), side(vscode.l10n.t('after'), answers[1])];
  const title = vscode.l10n.t('{0}: answer before ↔ after', taskId);
  await openDiff(before, after, title);
}
