import * as vscode from 'vscode';
import type { EditWorth, ProposedEdit } from '../../ports/proposal.js';
import type { ApplyReportRow } from '../../skill/edit.js';
import type { EditDecision, PendingProposal } from '../../workshop/workshop.js';
import { rowItem } from './row.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** The proposed edits with check and cross, then those that were left out with the reason. */
export function editGroups(skillPath: string, pending: PendingProposal): readonly TreeNode[] {
  const proposed = proposedGroup(skillPath, pending);
  return pending.proposal.leftOut.length === 0 ? [proposed] : [proposed, leftOutGroup(skillPath, pending)];
}

function proposedGroup(skillPath: string, pending: PendingProposal): TreeNode {
  const edits = pending.proposal.documents.flatMap((document) => document.edits);
  const open = edits.filter(({ id }) => pending.decisions[id] === undefined).length;
  const id = `edits:${skillPath}`;
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: vscode.l10n.t('Proposed edits'),
        description: pending.stale
          ? vscode.l10n.t('{0} open · the skill changed since', open)
          : vscode.l10n.t('{0} open', open),
        icon: 'edit',
        state: 'expanded',
        contextValue: `edits.${pending.proposal.verdict.kind}`,
        says: vscode.l10n.t('{0} proposed edits, {1} still open.', edits.length, open),
        command: { command: 'whetstone.review', title: vscode.l10n.t('Review Edits'), arguments: [skillPath] },
      }),
    children: () => Promise.resolve(edits.map((edit) => editNode(skillPath, edit, pending))),
  };
}

function leftOutGroup(skillPath: string, { proposal: { leftOut } }: PendingProposal): TreeNode {
  const id = `refused:${skillPath}`;
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label: vscode.l10n.t('Edits left out'),
        description: String(leftOut.length),
        icon: 'circle-slash',
        state: 'collapsed',
        contextValue: 'refused',
        says: vscode.l10n.t('{0} edits were left out, each with its reason.', leftOut.length),
      }),
    children: () => Promise.resolve(leftOut.map((row, index) => leftOutNode(`${id}:${index}`, skillPath, row))),
  };
}

function leftOutNode(id: string, skillPath: string, { edit, outcome }: ApplyReportRow): TreeNode {
  const why = outcome.kind === 'applied' ? '' : outcome.detail;
  const label = summaryOf(edit);
  const says = vscode.l10n.t('Left out: {0}. {1}', label, why);
  return {
    id,
    skillPath,
    item: () =>
      rowItem({
        id,
        label,
        description: why,
        icon: 'x',
        color: 'skipped',
        contextValue: 'refused.edit',
        says,
        tooltip: why,
      }),
    children: noChildren,
  };
}

function editNode(skillPath: string, proposed: ProposedEdit, pending: PendingProposal): TreeNode {
  const { id: editId, edit, worth } = proposed;
  const decision = pending.decisions[editId];
  const id = `edits:${skillPath}:${editId}`;
  const state = decisionWords(decision);
  const adoptable = pending.proposal.verdict.kind !== 'rejected';
  return {
    id,
    skillPath,
    editId,
    item: () =>
      rowItem({
        id,
        label: `${editId} ${summaryOf(edit)}`,
        description: [state.word, worthWords(worth)].filter((part) => part !== undefined).join(' · '),
        icon: state.icon,
        color: state.color,
        contextValue: decision === undefined && adoptable ? 'edit.open' : 'edit.decided',
        says: vscode.l10n.t(
          'Edit {0}: {1}. {2}. {3}',
          editId,
          summaryOf(edit),
          state.word ?? vscode.l10n.t('open'),
          edit.rationale,
        ),
        tooltip: edit.rationale,
        command: { command: 'whetstone.review', title: vscode.l10n.t('Review Edits'), arguments: [skillPath, editId] },
      }),
    children: noChildren,
  };
}

/** The first words of what an edit says or takes away. */
export function summaryOf(edit: ProposedEdit['edit']): string {
  const text = 'content' in edit && edit.content !== '' ? edit.content : 'anchor' in edit ? edit.anchor : '';
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[-*#\s]+/, '');
  const verb = { append: '+', insert_after: '+', replace: '~', delete: '−' }[edit.op];
  return `${verb} ${line.length > 60 ? `${line.slice(0, 59)}…` : line}`;
}

/** "+18 points, 95 % between 6 and 29", or that it was not measured singly. */
export function worthWords(worth: EditWorth): string {
  if (worth.kind === 'not-measured-singly') return vscode.l10n.t('not measured singly');
  const [low, high] = worth.interval;
  return vscode.l10n.t('{0} points, 95 % between {1} and {2}', signed(worth.effect), signed(low), signed(high));
}

function signed(share: number): string {
  const points = Math.round(share * 100);
  return points > 0 ? `+${points}` : String(points);
}

function decisionWords(decision: EditDecision | undefined): {
  readonly word: string | undefined;
  readonly icon: string;
  readonly color: 'passed' | 'failed' | undefined;
} {
  switch (decision?.kind) {
    case undefined:
      return { word: undefined, icon: 'circle-outline', color: undefined };
    case 'accepted':
      return { word: vscode.l10n.t('accepted'), icon: 'pass', color: 'passed' };
    case 'edited':
      return { word: vscode.l10n.t('edited by you'), icon: 'edit', color: 'passed' };
    case 'rejected':
      return { word: vscode.l10n.t('rejected'), icon: 'error', color: 'failed' };
  }
}
