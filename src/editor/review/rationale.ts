import type { GateFigures, Verdict } from '../../gate/verdict/verdict.js';
import { count } from '../../gate/verdict/wording.js';
import type { Proposal, ProposedEdit } from '../../ports/proposal.js';
import { asMarkdown } from './modelText.js';
import type { ReviewedHunk } from '../../review/reviewHunks.js';
import { tokensText, worthText } from './worthText.js';

/** The one command that a rationale may run. */
export const showAnswersCommand = 'whetstone.showAnswers';

export interface RationaleContext {
  readonly proposal: Proposal;
  readonly skillPath: string;
}

const mostTasks = 8;

/** The title of a rationale: `E2 · replace · +38 tokens`. */
export function rationaleLabel({ origin, tokens }: ReviewedHunk): string {
  switch (origin.kind) {
    case 'proposed': {
      const edits = origin.edits.map(({ id, edit }) => `${id} ${verbs[edit.op]}`).join(', ');
      return `${edits} · ${tokensText(tokens)}${origin.edited ? ' · edited by you' : ''}`;
    }
    case 'yours':
      return `Written by you · ${tokensText(tokens)}`;
    case 'file':
      return 'You changed the file here';
    case 'unexplained':
      return `No reason given · ${tokensText(tokens)}`;
  }
}

const verbs: Readonly<Record<ProposedEdit['edit']['op'], string>> = {
  append: 'adds',
  insert_after: 'inserts',
  replace: 'replaces',
  delete: 'removes',
};

/**
 * Why a change is proposed and what speaks for it, as Markdown. Whatever a model wrote is shown as it is and does nothing;
 * the only links are ours, to the two answers of a task.
 */
export function rationaleMarkdown(reviewed: ReviewedHunk, context: RationaleContext): string {
  const { origin, overwrites } = reviewed;
  const notes = overwrites ? ['You changed the lines below it in the file: accepting it takes your words away.'] : [];
  switch (origin.kind) {
    case 'proposed':
      return [
        ...notes,
        ...(origin.saysMore ? ['It brings words that none of its edits says. Look at it closely.'] : []),
        ...(origin.edited ? ['You changed its words, so its figures are about another text.'] : []),
        ...origin.edits.map((edit) => reasonOf(edit, origin.edits.length > 1)),
        ...heldOutTasks(context),
        ...modelNote(context.proposal),
      ].join('\n\n');
    case 'yours':
      return ['You wrote this in the proposal. Nobody has measured it.', ...notes].join('\n\n');
    case 'file':
      return 'You changed this in the file after the run. Accepting the proposal leaves it as it is.';
    case 'unexplained':
      return ['The proposal changes this, but none of its edits says so. Look at it closely.', ...notes].join('\n\n');
  }
}

function reasonOf(edit: ProposedEdit, several: boolean): string {
  const head = several ? `**${edit.id}:** ` : '**Why:** ';
  const lessons = edit.lessonsFrom.slice(0, mostTasks).map((id) => `\`${inCode(id)}\``);
  const more = edit.lessonsFrom.length > mostTasks ? ` and ${edit.lessonsFrom.length - mostTasks} more` : '';
  const from = lessons.length > 0 ? `: ${lessons.join(', ')}${more}` : '';
  return [
    head + (asMarkdown(edit.edit.rationale) || 'The model gave no reason.'),
    `**Worth:** ${worthText(edit.worth)}${edit.worth.kind === 'measured' ? ' on training tasks' : ''}`,
    `**Learned from:** ${sources[edit.source]}${from}`,
  ].join('  \n');
}

const sources: Readonly<Record<ProposedEdit['source'], string>> = {
  failure: 'training tasks that failed',
  success: 'training tasks that passed',
  contrast: 'training tasks that passed one time and failed another',
  merged: 'several lessons, merged',
};

/** The gate measures the proposal as a whole: no single edit may take the credit for a task. */
function heldOutTasks({ proposal, skillPath }: RationaleContext): readonly string[] {
  const figures = figuresOf(proposal.verdict);
  if (figures === undefined) return [];
  const links = (ids: readonly string[]): string =>
    [
      ...ids.slice(0, mostTasks).map((id) => taskLink(proposal, skillPath, id)),
      ...(ids.length > mostTasks ? [`${ids.length - mostTasks} more`] : []),
    ].join(', ');
  const lines = [
    ...(figures.fixed.length > 0 ? [`$(pass) fixed: ${links(figures.fixed)}`] : []),
    ...(figures.regressed.length > 0 ? [`$(error) broke: ${links(figures.regressed)}`] : []),
  ];
  const shown = lines.length > 0 ? lines : ['none changed sides'];
  const all = editCount(proposal);
  const scope = all > 1 ? `, all ${count(all, 'edit')} together` : '';
  return [`**Held-out tasks${scope}:**  \n${shown.join('  \n')}`];
}

function taskLink({ answers }: Proposal, skillPath: string, id: string): string {
  const [before, after] = answers[id] ?? [];
  if (before === undefined && after === undefined) return `\`${inCode(id)}\``;
  const argument = encodeURIComponent(JSON.stringify([{ skillPath, taskId: id }]));
  return `[\`${inCode(id)}\`](command:${showAnswersCommand}?${argument} "Compare the two answers")`;
}

function figuresOf(verdict: Verdict): GateFigures | undefined {
  return verdict.kind === 'unmeasured' ? undefined : verdict.figures;
}

function modelNote({ models }: Proposal): readonly string[] {
  return models.simulated ? ['*All figures are from the simulated model.*'] : [];
}

function editCount({ documents }: Proposal): number {
  return documents.reduce((sum, document) => sum + document.edits.length, 0);
}

/** A task id comes from a file that anybody may have written. */
function inCode(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N} ._/:#@+-]/gu, '·').slice(0, 80);
}
