import * as vscode from 'vscode';
import type { ApplyReportRow } from '../../skill/edits/edit.js';
import type { RejectedEditView } from '../../app/results/overview.js';
import type { PendingProposal } from '../../app/proposals/pending.js';
import { shortened, summaryOf } from './editWords.js';
import { noChildren, type TreeNode } from './treeNode.js';
import { rejectionReasons } from '../../review/reviewDecision.js';
import { retold, t } from '../../wording/translate.js';
import { worthText } from '../../wording/worthText.js';

/** Edits that found no place in the skill, or that it may not hold, each with the reason. */
export function leftOutNodes(skillPath: string, { proposal: { leftOut } }: PendingProposal): readonly TreeNode[] {
  if (leftOut.length === 0) return [];
  const id = `refused:${skillPath}`;
  const rows = leftOut.map((row, index) => notTakenNode(`${id}:${index}`, skillPath, leftOutWords(row)));
  return [
    groupNode(id, skillPath, rows, {
      label: vscode.l10n.t('Edits left out'),
      says:
        leftOut.length === 1
          ? vscode.l10n.t('1 edit was left out, with its reason.')
          : vscode.l10n.t('{0} edits were left out, each with its reason.', leftOut.length),
    }),
  ];
}

/** Edits that the run tried with the others and dropped before it measured the rest, each with what it is worth. */
export function droppedNodes(skillPath: string, { proposal: { dropped = [] } }: PendingProposal): readonly TreeNode[] {
  if (dropped.length === 0) return [];
  const id = `dropped:${skillPath}`;
  const rows = dropped.map(({ edit, worth }, index) =>
    notTakenNode(`${id}:${index}`, skillPath, { label: summaryOf(edit), why: worthText(worth, t) }),
  );
  return [
    groupNode(id, skillPath, rows, {
      label: vscode.l10n.t('Edits tried and dropped'),
      says:
        dropped.length === 1
          ? vscode.l10n.t('1 edit was tried and dropped, with its worth.')
          : vscode.l10n.t('{0} edits were tried and dropped, each with its worth.', dropped.length),
    }),
  ];
}

/**
 * What the gate or the person did not take in earlier runs; the optimizer is told not to propose it again. What waits has a
 * row of its own above, with what was decided on it.
 */
export function rejectedNodes(skillPath: string, rejected: readonly RejectedEditView[]): readonly TreeNode[] {
  const id = `rejected:${skillPath}`;
  const rows = rejected.flatMap(({ text, reason, inProposal }, index) => {
    const words = { label: shortened(text), why: whyRejected(reason) };
    return inProposal === true ? [] : [notTakenNode(`${id}:${rejected.length - index}`, skillPath, words)];
  });
  if (rows.length === 0) return [];
  return [
    groupNode(id, skillPath, rows, {
      label: vscode.l10n.t('Edits not taken'),
      says:
        rows.length === 1
          ? vscode.l10n.t('1 edit was not taken, with its reason.')
          : vscode.l10n.t('{0} edits were not taken, each with its reason.', rows.length),
      contextValue: 'rejected',
    }),
  ];
}

/** A reason that people choose is theirs; every other one is what a run found. */
function whyRejected(reason: string): string {
  if (reason === '' || reason === 'the person rejected it') return vscode.l10n.t('you rejected it');
  const chosen = rejectionReasons.some((each) => each === reason);
  return chosen ? vscode.l10n.t('you rejected it: {0}', retold(reason)) : retold(reason);
}

function groupNode(
  id: string,
  skillPath: string,
  rows: readonly TreeNode[],
  words: { readonly label: string; readonly says: string; readonly contextValue?: string },
): TreeNode {
  return {
    id,
    skillPath,
    row: () => ({
      contextValue: 'refused',
      ...words,
      description: String(rows.length),
      icon: 'circle-slash',
      state: 'collapsed',
    }),
    children: () => Promise.resolve(rows),
  };
}

function leftOutWords({ edit, outcome }: ApplyReportRow): { readonly label: string; readonly why: string } {
  return { label: summaryOf(edit), why: outcome.kind === 'applied' ? '' : retold(outcome.detail) };
}

function notTakenNode(
  id: string,
  skillPath: string,
  { label, why }: { readonly label: string; readonly why: string },
): TreeNode {
  return {
    id,
    skillPath,
    row: () => ({
      label,
      description: why,
      icon: 'x',
      color: 'skipped',
      contextValue: 'refused.edit',
      says: vscode.l10n.t('Not taken: {0}. Reason: {1}', label, asSentence(why)),
      tooltip: () => why,
    }),
    children: noChildren,
  };
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
