import * as vscode from 'vscode';
import type { EvaluatedTask } from '../../app/runs/evaluate.js';
import type { PageAnswer } from '../../wording/taskPage.js';
import { runRequestFor } from '../run/runRequestFor.js';
import { withProgress } from '../shown/notification.js';
import { requestFor } from '../workbench.js';
import { showAnswerPage } from './taskPages.js';
import type { TaskParts } from './taskParts.js';

/** Attempts one task with and without the skill and opens both answers side by side. */
export async function tryTask(skillPath: string, taskId: string, { useCases, overviews }: TaskParts): Promise<void> {
  const title = vscode.l10n.t('Trying {0} with and without the skill', taskId);
  const result = await withProgress(title, async (signal) => {
    const request = { ...runRequestFor(skillPath), withoutSkill: true, only: [taskId] };
    return (await useCases()).evaluate(request, () => undefined, signal);
  });
  overviews.refresh(skillPath); // a task that was tried may not go everywhere any more
  const { task } = await (await useCases()).showTask({ ...requestFor(skillPath), task: taskId });
  showAnswerPage(
    { skillPath, taskId },
    {
      title: vscode.l10n.t('{0}: without ↔ with the skill', taskId),
      prompt: task.prompt,
      answers: [
        answerOf(result.baseline?.tasks[0], vscode.l10n.t('Without the skill')),
        answerOf(result.tasks[0], vscode.l10n.t('With the skill')),
      ],
    },
  );
}

function answerOf(task: EvaluatedTask | undefined, title: string): PageAnswer {
  return {
    title: `${title}: ${outcomeOf(task)}`,
    checks: (task?.checks ?? []).map(({ pass, name, reason }) => ({ pass, text: reason === '' ? name : reason })),
    answer: task?.answer ?? task?.invalid ?? '',
    ...task?.work,
  };
}

function outcomeOf(task: EvaluatedTask | undefined): string {
  if (task?.hard === undefined) return vscode.l10n.t('no result');
  return task.hard === 1 ? vscode.l10n.t('passed') : vscode.l10n.t('failed');
}
