import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import type { EvaluatedTask } from '../../app/runs/evaluate.js';
import type { PageAnswer } from '../../wording/taskPage.js';
import { retold } from '../../wording/translate.js';
import { checkOutcome } from '../../wording/work/checkResult.js';
import { runRequestFor } from '../run/runRequestFor.js';
import { withProgress } from '../shown/notification.js';
import { requestFor } from '../workbench.js';
import { UserError } from '../../errors.js';
import { simulatedNote } from '../../wording/taskWords.js';
import type { TaskChoice } from '../commands/commands.js';
import { pickOne } from '../shown/questions.js';
import type { TaskPages } from './taskPages.js';
import type { TaskParts } from './taskParts.js';

/** The task that the person wants to try: of one there is nothing to ask. */
export async function pickTask(skillPath: string, overviews: TaskParts['overviews']): Promise<string> {
  const rows = rowsOf((await overviews.of(skillPath)).tasks);
  const [only, ...others] = rows;
  if (only === undefined)
    throw new UserError(
      'tasks-missing',
      vscode.l10n.t('This skill has no task that could be tried.'),
      vscode.l10n.t('Draft tasks for it first.'),
    );
  if (others.length === 0) return only.label;
  const picked = await pickOne(rows, { title: vscode.l10n.t('Which task?'), matchOnDescription: true });
  if (picked === undefined) throw new vscode.CancellationError();
  return picked.label;
}

/** Those that the tree offers it for: sealed ones are closed, and broken ones cannot be attempted. */
function rowsOf(tasks: SkillOverview['tasks']): readonly { readonly label: string; readonly description: string }[] {
  if (tasks === undefined) return [];
  const { training, heldOut, drafts, disabled } = tasks;
  return [training, heldOut, drafts, disabled].flat().map(({ id, prompt }) => ({ label: id, description: prompt }));
}

/** Attempts one task with and without the skill and opens both answers side by side. */
export async function tryTask(
  { skillPath, taskId }: TaskChoice,
  pages: TaskPages,
  { useCases, overviews }: Pick<TaskParts, 'useCases' | 'overviews'>,
): Promise<void> {
  const title = vscode.l10n.t('Trying {0} with and without the skill', taskId);
  const result = await withProgress(title, async (signal) => {
    const request = { ...runRequestFor(skillPath), withoutSkill: true, only: [taskId] };
    return (await useCases()).evaluate(request, () => undefined, signal);
  });
  overviews.refresh(skillPath); // a task that was tried may not go everywhere any more
  const { task, judgedBy } = await (await useCases()).showTask({ ...requestFor(skillPath), task: taskId });
  pages.showAnswers(
    { skillPath, taskId },
    {
      key: 'tried',
      title: vscode.l10n.t('{0}: without ↔ with the skill', taskId),
      prompt: task.prompt,
      ...(result.simulated ? { note: simulatedNote() } : {}),
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
