import { codeWarning, proposedBy, togetherSentence } from '../../wording/decidedEdits.js';
import { english } from '../../wording/translate.js';
import { worthText } from '../../wording/worthText.js';
import type { DroppedEdit, Proposal, ProposedEdit } from '../../ports/proposal.js';
import { fileOf, type ApplyReportRow, type Edit } from '../../skill/edits/edit.js';
import type { TriedEdit } from '../noProposal.js';
import { plain } from './reportTables.js';

/** The edits of a proposal as sections of a report, those that were dropped or left out behind them. */
export function editSections(proposal: Proposal, bound: readonly (readonly string[])[]): readonly string[] {
  const edits = proposal.documents.flatMap((document) => document.edits);
  return [
    '## Edits',
    ...edits.map((edit) =>
      editText(
        edit,
        bound.find((unit) => unit.includes(edit.id)),
      ),
    ),
    ...(proposal.dropped === undefined
      ? []
      : ['## Edits that were tried and dropped', proposal.dropped.map(droppedText).join('\n')]),
    ...(proposal.leftOut.length === 0
      ? []
      : ['## Edits that were left out', proposal.leftOut.map(leftOutText).join('\n')]),
  ];
}

function editText(proposed: ProposedEdit, unit: readonly string[] | undefined): string {
  const { id, edit, worth, lessonsFrom, support, environment } = proposed;
  const place = 'anchor' in edit ? [`At: ${plain(edit.anchor)}`] : [];
  const content = 'content' in edit ? [`Text: ${plain(edit.content)}`] : [];
  return [
    `### ${id}: ${opOf(edit)}`,
    [
      `- Why: ${edit.rationale.trim() === '' ? 'no reason was given' : plain(edit.rationale)}`,
      `- Worth: ${worthText(worth, english)}`,
      ...proposedBy([{ environment }], english).map((words) => `- Source: ${plain(words)}`),
      `- Learnt from: ${lessonsFrom.map(plain).join(', ')} (support ${support})`,
      ...codeWarning([proposed], english).map((words) => `- Warning: it ${words}`),
      ...(unit === undefined ? [] : [`- ${togetherSentence(unit, english)}`]),
      ...[...place, ...content].map((line) => `- ${line}`),
    ].join('\n'),
  ].join('\n\n');
}

/** What an edit does, and in which file where that is not SKILL.md. */
function opOf(edit: Edit): string {
  const file = fileOf(edit);
  return `${edit.op.replaceAll('_', ' ')}${file === undefined ? '' : ` in ${plain(file)}`}`;
}

/** One that was tried where nothing is proposed, and why it is not. */
export function triedText({ edit, why }: TriedEdit): string {
  return `- ${opOf(edit)}: ${plain('content' in edit ? edit.content : edit.anchor)} Why not: ${plain(why)}`;
}

/** On training tasks, before anything was measured on held-out ones. */
function droppedText({ edit, worth }: DroppedEdit): string {
  const text = plain('content' in edit ? edit.content : edit.anchor);
  return `- ${opOf(edit)}: ${text} Worth: ${worthText(worth, english)}`;
}

function leftOutText({ edit, outcome }: ApplyReportRow): string {
  const why = outcome.kind === 'applied' ? '' : outcome.detail;
  const content = 'content' in edit ? edit.content : edit.anchor;
  return `- ${opOf(edit)}, ${outcome.kind}: ${plain(why)} The edit: ${plain(content)}`;
}
