import * as vscode from 'vscode';
import type { SkillOverview } from '../../app/results/overview.js';
import { UserError } from '../../errors.js';
import type { Task } from '../../tasks/task.js';
import {
  committedSentence,
  doubtLines,
  draftLines,
  noticeLines,
  type ToldDraft,
} from '../../wording/harvest/draftWords.js';
import { t } from '../../wording/translate.js';
import { showInformation } from '../shown/messages.js';
import { offerBack, takeOut, type TakenOut } from './moveTask.js';
import { tellConfirmed } from './taskCommands.js';
import { applyChange, type TaskParts } from './taskParts.js';

/**
 * The command “Review Drafts”: one draft after the other, each with what it asks and what an answer is judged by. Only what
 * the person confirms counts; a draft that they skip, or that is left when they stop, stays a draft.
 */
export async function reviewDrafts(skillPath: string, parts: TaskParts): Promise<void> {
  const { tasks } = await parts.overviews.of(skillPath);
  if (tasks === undefined || tasks.drafts.length === 0) throw noDrafts();
  const deleted: TakenOut[] = [];
  try {
    await reviewEach({ skillPath, tasks, deleted }, parts);
  } finally {
    offerBack(deleted); // once, when no dialog stands before it any more
  }
}

interface Review {
  readonly skillPath: string;
  readonly tasks: Tasks;
  readonly deleted: TakenOut[];
}

async function reviewEach({ skillPath, tasks, deleted }: Review, parts: TaskParts): Promise<void> {
  const { drafts, harvested, doubts } = tasks;
  const useCases = await parts.useCases();
  let [confirmed, answered] = [0, 0];
  for (const [at, draft] of drafts.entries()) {
    const left = [draft, ...confirmableTogether(tasks, at + 1)];
    const judged = useCases.judgedBy(draft);
    const shown = { draft, judged, from: harvested?.get(draft.id), doubts: doubts?.get(draft.id) };
    const answer = await ask(shown, { number: at + 1, of: drafts.length, left: left.length });
    if (answer === 'delete') deleted.push(await takeOut({ skillPath, taskId: draft.id }, parts));
    const chosen = { confirm: [draft], confirmRest: left, skip: [], delete: [], stop: [] }[answer];
    for (const { id } of chosen) await applyChange(skillPath, parts, { kind: 'confirm', id });
    confirmed += chosen.length;
    answered += answer === 'stop' ? 0 : 1;
    if (answer === 'confirmRest' || answer === 'stop') break;
  }
  if (answered > 0) void tellConfirmed(skillPath, confirmed, parts);
}

/** Those from this place on that may be confirmed with others: what carries instructions, or is doubtful, may not. */
function confirmableTogether({ drafts, onlySingly }: Tasks, from: number): readonly Task[] {
  return drafts.slice(from).filter(({ id }) => onlySingly?.has(id) !== true);
}

type Tasks = NonNullable<SkillOverview['tasks']>;
type Answer = 'confirm' | 'skip' | 'delete' | 'confirmRest' | 'stop';

interface ShownDraft {
  readonly draft: Task;
  readonly judged: readonly string[];
  /** Where it comes from, where that is a session. */
  readonly from: ToldDraft | undefined;
  /** What it asks for that nothing calls for. */
  readonly doubts: readonly string[] | undefined;
}

async function ask(
  shown: ShownDraft,
  place: { readonly number: number; readonly of: number; readonly left: number },
): Promise<Answer> {
  const answers: readonly (readonly [string, Answer])[] = [
    [vscode.l10n.t('Confirm'), 'confirm'],
    [vscode.l10n.t('Skip'), 'skip'],
    [vscode.l10n.t('Delete'), 'delete'],
    ...(place.left > 1 ? [[vscode.l10n.t('Confirm All {0} Left', place.left), 'confirmRest'] as const] : []),
  ];
  const picked = await showInformation(
    vscode.l10n.t('Draft {0} of {1}: {2}', place.number, place.of, shown.draft.id),
    { modal: true, detail: textOf(shown) },
    ...answers.map(([label]) => label),
  );
  return answers.find(([label]) => label === picked)?.[1] ?? 'stop';
}

const longestShown = 1_500; // of a request: a dialog has no scroll bar

function textOf({ draft, judged, from, doubts }: ShownDraft): string {
  const { prompt } = draft;
  const asked = prompt.length > longestShown ? `${prompt.slice(0, longestShown)}…` : prompt;
  const doubtful = [...doubtLines(doubts, t), ...noticeLines(draft, t)];
  const origin = from === undefined ? [] : [...draftLines(from, t), committedSentence(t)];
  const told = doubtful.length + origin.length === 0 ? [] : ['', ...doubtful, ...origin];
  return [asked, '', vscode.l10n.t('A good answer:'), ...judged.map((line) => `– ${line}`), ...told].join('\n');
}

function noDrafts(): UserError {
  return new UserError(
    'usage',
    vscode.l10n.t('This skill has no drafts to confirm.'),
    vscode.l10n.t('Draft tasks for it first.'),
  );
}
