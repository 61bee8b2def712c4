import * as vscode from 'vscode';
import type { EvaluatedTask } from '../../app/runs/evaluate.js';
import { runRequestFor } from '../run/optimizeCommand.js';
import { withProgress } from '../shown/notification.js';
import type { TaskParts } from './taskParts.js';
import { openDiff } from '../shown/documents.js';

/** Attempts one task with and without the skill and opens both answers side by side. */
export async function tryTask(skillPath: string, taskId: string, { useCases, texts }: TaskParts): Promise<void> {
  const title = vscode.l10n.t('Trying {0} with and without the skill', taskId);
  const result = await withProgress(title, async (signal) => {
    const request = { ...runRequestFor(skillPath), withoutSkill: true, only: [taskId] };
    return (await useCases()).evaluate(request, () => undefined, signal);
  });
  const without = answerText(result.baseline?.tasks[0], vscode.l10n.t('Without the skill'));
  const withSkill = answerText(result.tasks[0], vscode.l10n.t('With the skill'));
  await openDiff(
    texts.add(`${taskId} ${vscode.l10n.t('without the skill')}.md`, without),
    texts.add(`${taskId} ${vscode.l10n.t('with the skill')}.md`, withSkill),
    vscode.l10n.t('{0}: without ↔ with the skill', taskId),
  );
}

function answerText(task: EvaluatedTask | undefined, title: string): string {
  return [
    `# ${title}: ${outcomeOf(task)}`,
    '',
    ...(task?.checks ?? []).map(({ pass, name, reason }) => `- ${pass ? '✓' : '✗'} ${name}: ${reason}`),
    '',
    task?.answer ?? task?.invalid ?? '',
    '',
  ].join('\n');
}

function outcomeOf(task: EvaluatedTask | undefined): string {
  if (task?.hard === undefined) return vscode.l10n.t('no result');
  return task.hard === 1 ? vscode.l10n.t('passed') : vscode.l10n.t('failed');
}
