import * as vscode from 'vscode';
import type { AnswerChecks } from '../../app/results/answerChecks.js';
import { UserError } from '../../errors.js';
import type { PageAnswer } from '../../wording/taskPage.js';
import { retold } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import type { TaskChoice } from '../commands/commands.js';
import { requestFor } from '../workbench.js';
import { showAnswerPage } from './taskPages.js';
import type { TaskParts } from './taskParts.js';

type Parts = Pick<TaskParts, 'useCases' | 'overviews'>;

/** Opens the two answers to one held-out task of the pending proposal, side by side beneath the task. */
export async function showAnswers(choice: TaskChoice, parts: Parts): Promise<void> {
  const { skillPath, taskId } = choice;
  const { pending } = await parts.overviews.of(skillPath);
  const answers = pending?.proposal.answers[taskId];
  if (answers === undefined) {
    throw new UserError(
      'proposal-missing',
      vscode.l10n.t('No answers are stored for the task {0}.', taskId),
      vscode.l10n.t('Optimize the skill again.'),
    );
  }
  const [before, after] = await Promise.all(answers.map((hash) => keptAnswer(choice, hash, parts)));
  showAnswerPage(choice, {
    title: vscode.l10n.t('{0}: answer before ↔ after', taskId),
    prompt: before?.prompt ?? after?.prompt ?? '',
    answers: [pageAnswer(vscode.l10n.t('Before'), before), pageAnswer(vscode.l10n.t('After'), after)],
  });
}

type KeptAnswer = Partial<AnswerChecks> & { readonly answer: string };

/** What the model said and what the checks say of it; the answer alone where the task is gone by now. */
async function keptAnswer(
  { skillPath, taskId }: TaskChoice,
  answerHash: string | undefined,
  { useCases }: Parts,
): Promise<KeptAnswer> {
  if (answerHash === undefined) return { answer: vscode.l10n.t('There is no answer on this side.') };
  const known = await useCases();
  const checked = await known
    .answerChecks({ ...requestFor(skillPath), taskId, answerHash }, neverAborted())
    .catch(() => undefined);
  if (checked !== undefined) return checked;
  const gone = vscode.l10n.t('This answer is no longer stored: answers are kept for 30 days.');
  return { answer: (await known.text(answerHash)) ?? gone };
}

const outcomes = { pass: true, fail: false, unknown: undefined } as const;

function pageAnswer(title: string, kept: KeptAnswer | undefined): PageAnswer {
  const checks = (kept?.checks ?? []).map(({ outcome, criterion, reason }) => ({
    pass: outcomes[outcome],
    text: `${retold(criterion)} ${retold(reason)}`,
  }));
  return { title, checks, answer: kept?.answer ?? '' };
}
