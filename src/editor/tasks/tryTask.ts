import * as vscode from 'vscode';
import type { EvaluatedTask } from '../../app/runs/evaluate.js';
import type { PageAnswer } from '../../wording/taskPage.js';
import { retold } from '../../wording/translate.js';
import { checkOutcome } from '../../wording/work/checkResult.js';
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
  const { task, judgedBy } = await (await useCases()).showTask({ ...requestFor(skillPath), task: taskId });
  showAnswerPage(
    { skillPath, taskId },
    {
      title: vscode.l10n.t('{0}: without ↔ with the skill', taskId),
      prompt: task.prompt,
      answers: [
        answerOf(result.baseline?.tasks[0], vscode.l10n.t('Without the skill'), judgedBy),
        answerOf(result.tasks[0], vscode.l10n.t('With the skill'), judgedBy),
      ],
    },
  );
}

function answerOf(task: EvaluatedTask | undefined, title: string, judgedBy: readonly string[]): PageAnswer {
  return {
    title: `${title}: ${outcomeOf(task)}`,
    checks: task?.hard === undefined ? judgedBy.map(notChecked) : task.checks.map(checkOf),
    answer: task?.answer ?? retold(task?.invalid ?? ''),
    work: task?.work,
  };
}

/** What would have been asked stands there all the same; why there is no result stands in the place of the answer. */
function notChecked(criterion: string): PageAnswer['checks'][number] {
  return { criterion, outcome: 'not-run', reason: vscode.l10n.t('the attempt gave no result.') };
}

function checkOf({ criterion, reason, ...check }: EvaluatedTask['checks'][number]): PageAnswer['checks'][number] {
  return { criterion, outcome: checkOutcome(check), reason };
}

function outcomeOf(task: EvaluatedTask | undefined): string {
  if (task?.hard === undefined) return vscode.l10n.t('no result');
  return task.hard === 1 ? vscode.l10n.t('passed') : vscode.l10n.t('failed');
}
