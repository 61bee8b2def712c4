import * as vscode from 'vscode';
import { commandLink } from '../commands/runCommand.js';
import type { ProposedEdit } from '../../ports/proposal.js';
import { documentTitle } from '../../skill/package/packageFile.js';
import type { PendingProposal } from '../../app/proposals/pending.js';
import type { EditChoices } from '../../review/editChoices.js';
import { decisionWords, refusedWords, summaryOf } from './editWords.js';
import { count } from '../../wording/amounts.js';
import { codeWarning, proposedBy, togetherSentence } from '../../wording/decidedEdits.js';
import { t } from '../../wording/translate.js';
import { worthText } from '../../wording/worthText.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** The proposed edits, each with a box, a check and a cross while it is open. */
export function proposedNode(skillPath: string, pending: PendingProposal, choices: EditChoices): TreeNode {
  const rows = pending.proposal.documents.flatMap((document) =>
    document.edits.map((edit) => ({ edit, file: documentTitle(document) })),
  );
  const edits = rows.map(({ edit }) => edit);
  const open = edits.filter(({ id }) => pending.decisions[id] === undefined).length;
  const rejected = pending.proposal.verdict.kind === 'rejected';
  return {
    id: `edits:${skillPath}`,
    skillPath,
    row: () => ({
      label: rejected ? vscode.l10n.t('Edits without proof') : vscode.l10n.t('Proposed edits'),
      description: countText(pending, edits.length, open),
      icon: 'edit',
      state: 'expanded',
      contextValue: rejected ? 'edits.rejected' : `edits.${open === 0 ? 'decided' : 'open'}`,
      says: vscode.l10n.t('{0} proposed, {1} still open.', count(edits.length, 'edit', t), open),
      command: commandLink('whetstone.review', reviewTitle(rejected), skillPath),
    }),
    children: () => Promise.resolve(rows.map((row) => editNode(skillPath, row, pending, choices))),
  };
}

/** What the gate refused is there to be looked at: none of it can be accepted. */
function reviewTitle(refused: boolean): string {
  return refused ? vscode.l10n.t('Look at Edits') : vscode.l10n.t('Review Edits');
}

/** Where a run left several candidates, which of them these are the edits of. */
function countText({ proposal, stale }: PendingProposal, all: number, open: number): string {
  const { candidates } = proposal;
  const whose = candidates === undefined ? '' : `${candidates.proposed.id} · `;
  if (proposal.verdict.kind === 'rejected') return `${whose}${all}`;
  const left = stale ? vscode.l10n.t('{0} open · the skill changed since', open) : vscode.l10n.t('{0} open', open);
  return `${whose}${left}`;
}

function editNode(
  skillPath: string,
  { edit: proposed, file }: { readonly edit: ProposedEdit; readonly file: string },
  pending: PendingProposal,
  choices: EditChoices,
): TreeNode {
  const { id: editId, edit, worth } = proposed;
  const together = pending.bound.find((unit) => unit.includes(editId)) ?? [];
  const others = together.filter((id) => id !== editId);
  const said = [
    worthText(worth, t),
    ...(others.length > 0 ? [t('only together with {0}', others.join(', '))] : []),
    ...codeWarning([proposed], t),
    ...proposedBy([proposed], t),
  ].join(' · ');
  const decision = pending.decisions[editId];
  const refused = pending.proposal.verdict.kind === 'rejected';
  const { word, icon, color } = refused ? refusedWords(pending.proposal.verdict) : decisionWords(decision);
  const open = decision === undefined && !refused;
  return {
    id: `edits:${skillPath}:${editId}`,
    skillPath,
    editId,
    row: () => ({
      label: `${editId} ${summaryOf(edit)}`,
      description: `${file} · ${word} · ${said}`,
      icon,
      color,
      contextValue: open ? 'edit.open' : 'edit.decided',
      checked: open ? choices.has(pending.proposal.id, editId) : undefined,
      says: vscode.l10n.t('Edit {0} of {4}, {1}: {2}. {3}.', editId, word, summaryOf(edit), said, file),
      tooltip: () => [edit.rationale, ...(others.length > 0 ? [togetherSentence(together, t)] : [])].join('\n\n'),
      command: commandLink('whetstone.review', reviewTitle(refused), skillPath, editId),
    }),
    children: noChildren,
  };
}
