import type { GateFigures, Verdict } from '../gate/verdict/verdict.js';
import type { Proposal, ProposedEdit } from '../ports/proposal.js';
import { count, tokensText } from './amounts.js';
import type { SaidHunk } from './lensTitles.js';
import { changesScript, togetherSentence } from './decidedEdits.js';
import { asMarkdown, visibleText } from './shownText.js';
import { t } from './translate.js';
import { worthText } from './worthText.js';

/** The one command that a rationale may run. */
export const showAnswersCommand = 'whetstone.showAnswers';

export interface RationaleContext {
  readonly proposal: Proposal;
  readonly skillPath: string;
}

const mostTasks = 8;

/** The title of a rationale: `E2 replaces · +38 tokens`. */
export function rationaleLabel({ origin, tokens }: SaidHunk): string {
  const length = tokensText(tokens, t);
  switch (origin.kind) {
    case 'proposed': {
      return `${editsLabel(origin.edits)} · ${length}${origin.edited ? ` · ${t('edited by you')}` : ''}`;
    }
    case 'yours':
      return `${t('Written by you')} · ${length}`;
    case 'file':
      return t('You changed the file here');
    case 'unexplained':
      return `${t('No reason given')} · ${length}`;
  }
}

/** Of edits that are decided together: how many and which, for a verb behind each is a list that nobody reads. */
function editsLabel(edits: readonly ProposedEdit[]): string {
  const [first] = edits;
  if (first !== undefined && edits.length === 1) return `${first.id} ${verbOf(first.edit)}`;
  const ids = idsOf(edits).join(', ');
  const onlyAdd = edits.every(({ edit: { op } }) => op === 'append' || op === 'insert_after');
  return onlyAdd ? t('{0} additions ({1})', edits.length, ids) : t('{0} edits ({1})', edits.length, ids);
}

function idsOf(edits: readonly ProposedEdit[]): readonly string[] {
  return edits.map(({ id }) => id);
}

function verbOf({ op }: ProposedEdit['edit']): string {
  return {
    append: t('adds'),
    insert_after: t('inserts'),
    replace: t('replaces'),
    delete: t('removes'),
    slow_update: t('updates guidance'),
    appendix: t('updates reminders'),
  }[op];
}

/**
 * Why a change is proposed and what speaks for it, as Markdown. Whatever a model wrote is shown as it is and does nothing;
 * the only links are ours, to the two answers of a task.
 */
export function rationaleMarkdown({ origin, overwrites, hidden }: SaidHunk, context: RationaleContext): string {
  const notes = [
    ...(overwrites ? [t('You changed the lines below it in the file: accepting it takes your words away.')] : []),
    ...(hidden.length > 0
      ? [
          `$(warning) ${t('It holds characters that nobody would see: {0}. They are marked where they stand.', upToEight(hidden, String))}`,
        ]
      : []),
  ];
  switch (origin.kind) {
    case 'proposed':
      return [
        ...notes,
        ...(origin.saysMore ? [t('It brings words that none of its edits says. Look at it closely.')] : []),
        ...codeNote(origin.edits),
        ...(origin.edited ? [t('You changed its words, so its figures are about another text.')] : []),
        ...(origin.edits.length > 1 ? [togetherSentence(idsOf(origin.edits).map(asMarkdown), t)] : []),
        ...origin.edits.map((edit) => reasonOf(edit, origin.edits.length > 1)),
        ...heldOutTasks(context),
        ...(context.proposal.models.simulated ? [`*${t('All figures are from the simulated model.')}*`] : []),
      ].join('\n\n');
    case 'yours':
      return [t('You wrote this in the proposal. Nobody has measured it.'), ...notes].join('\n\n');
    case 'file':
      return t('You changed this in the file after the run. Accepting the proposal leaves it as it is.');
    case 'unexplained':
      return [t('The proposal changes this, but none of its edits says so. Look at it closely.'), ...notes].join(
        '\n\n',
      );
  }
}

function codeNote(edits: readonly ProposedEdit[]): readonly string[] {
  if (edits.some(changesScript))
    return [`$(warning) ${t('It changes a script that agents run, on your machine too. Read every line of it.')}`];
  if (!edits.some((edit) => edit.changesCode)) return [];
  return [t('It changes code in a fence: what agents run. Look at it closely.')];
}

function reasonOf(edit: ProposedEdit, several: boolean): string {
  const worth = worthText(edit.worth, t);
  const lessons = upToEight(edit.lessonsFrom, (id) => `\`${inCode(id)}\``);
  return [
    `**${several ? `${asMarkdown(edit.id)}:` : t('Why:')}** ${asMarkdown(edit.edit.rationale) || noReason(edit)}`,
    `**${t('Worth:')}** ${worth}`,
    `**${t('Learned from')}** ${sourceOf(edit)}${lessons === '' ? '' : `: ${lessons}`}`,
  ].join('  \n');
}

function noReason({ environment }: ProposedEdit): string {
  return environment === undefined ? t('The model gave no reason.') : t('No reason given');
}

function sourceOf({ source, environment = '', lessonsFrom: { length } }: ProposedEdit): string {
  switch (source) {
    case 'failure':
      return length === 1 ? t('1 failed training task') : t('{0} failed training tasks', length);
    case 'success':
      return length === 1 ? t('1 training task that passed') : t('{0} training tasks that passed', length);
    case 'contrast':
      return t('training tasks that passed one time and failed another');
    case 'merged':
      return t('several lessons, merged');
    case 'environment':
      return t('what the environment {0} saw, which proposed it', `\`${inCode(environment)}\``);
  }
}

/** The gate measures the proposal as a whole: no single edit may take the credit for a task. */
function heldOutTasks({ proposal, skillPath }: RationaleContext): readonly string[] {
  const figures = figuresOf(proposal.verdict);
  if (figures === undefined) return [];
  const links = (ids: readonly string[]): string => upToEight(ids, (id) => taskLink(proposal, skillPath, id));
  const lines = [
    ...(figures.fixed.length > 0 ? [`$(pass) ${t('better: {0}', links(figures.fixed))}`] : []),
    ...(figures.regressed.length > 0 ? [`$(error) ${t('worse: {0}', links(figures.regressed))}`] : []),
  ];
  const all = editCount(proposal);
  const title = all > 1 ? t('Held-out tasks, all {0} together:', count(all, 'edit', t)) : t('Held-out tasks:');
  return [`**${title}**  \n${(lines.length > 0 ? lines : [t('no task changed')]).join('  \n')}`];
}

function upToEight(ids: readonly string[], show: (id: string) => string): string {
  const more = ids.length - mostTasks;
  return [...ids.slice(0, mostTasks).map(show), ...(more > 0 ? [t('{0} more', more)] : [])].join(', ');
}

function taskLink({ answers }: Proposal, skillPath: string, id: string): string {
  const [before, after] = answers[id] ?? [];
  if (before === undefined && after === undefined) return `\`${inCode(id)}\``;
  const argument = inLink(JSON.stringify([{ skillPath, taskId: id }]));
  return `[\`${inCode(id)}\`](command:${showAnswersCommand}?${argument} "${t('Compare the two answers')}")`;
}

function figuresOf(verdict: Verdict): GateFigures | undefined {
  return verdict.kind === 'unmeasured' ? undefined : verdict.figures;
}

function editCount({ documents }: Proposal): number {
  return documents.reduce((sum, document) => sum + document.edits.length, 0);
}

/** A folder may be called anything: a bracket in its name would end the link. */
function inLink(text: string): string {
  return encodeURIComponent(text).replaceAll('(', '%28').replaceAll(')', '%29');
}

/** A task id comes from a file that anybody may have written. */
function inCode(id: string): string {
  return visibleText(id, 80)
    .replaceAll(/[^\p{L}\p{N} ._/:#@+-]/gu, '·')
    .slice(0, 80);
}
