import * as vscode from 'vscode';
import type { AnswerChecks } from '../../app/results/answerChecks.js';
import { UserError } from '../../errors.js';
import type { PageAnswer } from '../../wording/taskPage.js';
import { gateAttemptKey, gateTitle, simulatedNote } from '../../wording/taskWords.js';
import { t } from '../../wording/translate.js';
import { neverAborted } from '../cancellation.js';
import type { TaskChoice } from '../commands/commands.js';
import { requestFor } from '../workbench.js';
import type { TaskPages } from './taskPages.js';
import type { TaskParts } from './taskParts.js';

type Parts = Pick<TaskParts, 'useCases' | 'overviews'>;

/** Opens the two answers to one held-out task of the pending proposal, side by side beneath the task. */
export async function showAnswers(choice: TaskChoice, pages: TaskPages, parts: Parts): Promise<void> {
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
  const about = {
    key: 'compared',
    title: vscode.l10n.t('{0}: answer before ↔ after', taskId),
    ...(pending?.proposal.models.simulated === true ? { note: simulatedNote() } : {}),
  };
  const worked = await workedAnswers(choice, parts);
  if (worked !== undefined) return pages.showAnswers(choice, { ...about, ...worked });
  const [before, after] = await Promise.all(answers.map((hash) => keptAnswer(choice, hash, parts)));
  pages.showAnswers(choice, {
    ...about,
    prompt: before?.prompt ?? after?.prompt ?? '',
    answers: [pageAnswer(vscode.l10n.t('Before'), before), pageAnswer(vscode.l10n.t('After'), after)],
  });
}

/**
 * Where agents worked on the task: an attempt without the edits and one with them, the last of each unless another number
 * is asked for. Two may end in the same words.
 */
async function workedAnswers(
  { skillPath, taskId, place }: TaskChoice,
  { useCases }: Parts,
): Promise<{ readonly prompt: string; readonly answers: readonly PageAnswer[] } | undefined> {
  const [known, request] = [await useCases(), requestFor(skillPath)];
  const attempts = (await known.gateAttempts({ ...request, taskId })).filter(({ work }) => work !== undefined);
  if (attempts.length === 0) return undefined;
  const wanted = attempts.find((each) => gateAttemptKey(each) === place?.attempt);
  const shown = (['before', 'after'] as const).flatMap((side) => {
    const own = attempts.filter((each) => each.side === side);
    return own.find(({ number }) => number === wanted?.number) ?? own.at(-1) ?? [];
  });
  const { task } = await known.showTask({ ...request, task: taskId });
  const answers = shown.map((attempt) => ({
    title: gateTitle(attempt, t),
    ...attempt,
    ...(attempt === wanted ? { wanted: place?.at ?? ('start' as const) } : {}),
  }));
  return { prompt: task.prompt, answers };
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

function pageAnswer(title: string, kept: KeptAnswer | undefined): PageAnswer {
  return { title, checks: kept?.checks ?? [], answer: kept?.answer ?? '' };
}
