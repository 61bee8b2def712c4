import * as vscode from 'vscode';
import { UserError } from '../../errors.js';
import type { Task } from '../../tasks/task.js';
import { showInformation } from '../shown/messages.js';
import { deleteTask } from './moveTask.js';
import { tellConfirmed } from './taskCommands.js';
import { applyChange, type TaskParts } from './taskParts.js';

/**
 * The command “Review Drafts”: one draft after the other, each with what it asks and what an answer is judged by. Only what
 * the person confirms counts; a draft that they skip, or that is left when they stop, stays a draft.
 */
export async function reviewDrafts(skillPath: string, parts: TaskParts): Promise<void> {
  const drafts = (await parts.overviews.of(skillPath)).tasks?.drafts ?? [];
  if (drafts.length === 0) throw noDrafts();
  const useCases = await parts.useCases();
  let confirmed = 0;
  for (const [at, draft] of drafts.entries()) {
    const answer = await ask(draft, useCases.judgedBy(draft), { number: at + 1, of: drafts.length });
    if (answer === 'delete') await deleteTask({ skillPath, taskId: draft.id }, parts);
    const chosen = { confirm: [draft], confirmRest: drafts.slice(at), skip: [], delete: [], stop: [] }[answer];
    for (const { id } of chosen) await applyChange(skillPath, parts, { kind: 'confirm', id });
    confirmed += chosen.length;
    if (answer === 'confirmRest' || answer === 'stop') break;
  }
  if (confirmed > 0) void tellConfirmed(skillPath, confirmed);
}

type Answer = 'confirm' | 'skip' | 'delete' | 'confirmRest' | 'stop';

async function ask(
  draft: Task,
  judged: readonly string[],
  place: { readonly number: number; readonly of: number },
): Promise<Answer> {
  const answers: readonly (readonly [string, Answer])[] = [
    [vscode.l10n.t('Confirm'), 'confirm'],
    [vscode.l10n.t('Skip'), 'skip'],
    [vscode.l10n.t('Delete'), 'delete'],
    ...(place.number < place.of
      ? [[vscode.l10n.t('Confirm All {0} Left', place.of - place.number + 1), 'confirmRest'] as const]
      : []),
  ];
  const picked = await showInformation(
    vscode.l10n.t('Draft {0} of {1}: {2}', place.number, place.of, draft.id),
    { modal: true, detail: textOf(draft, judged) },
    ...answers.map(([label]) => label),
  );
  return answers.find(([label]) => label === picked)?.[1] ?? 'stop';
}

const longestShown = 1_500; // of a request: a dialog has no scroll bar

function textOf({ prompt }: Task, judged: readonly string[]): string {
  const asked = prompt.length > longestShown ? `${prompt.slice(0, longestShown)}…` : prompt;
  return [asked, '', vscode.l10n.t('A good answer:'), ...judged.map((line) => `– ${line}`)].join('\n');
}

function noDrafts(): UserError {
  return new UserError(
    'usage',
    vscode.l10n.t('This skill has no drafts to confirm.'),
    vscode.l10n.t('Draft tasks for it first.'),
  );
}
