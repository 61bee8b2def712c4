import * as vscode from 'vscode';
import { commandLink, type CommandLink } from '../commands/runCommand.js';
import type { InconclusiveCause, Verdict } from '../../gate/verdict/verdict.js';
import { percent, percents } from '../../wording/amounts.js';
import { rowHead } from '../../wording/shownText.js';
import { settlesIt, warningHead, warningsOf } from '../../wording/verdictReport.js';
import type { Proposal } from '../../ports/proposal.js';
import { retold, t } from '../../wording/translate.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** What a person should know beside the gate's answer: what would settle it, what makes it doubtful, the sealed tasks. */
export function gateFacts(skillPath: string, { verdict, sealed, models }: Proposal): readonly TreeNode[] {
  return [
    ...settleNodes(skillPath, verdict),
    ...warningsOf(verdict, sealed, models).map((warning, at) =>
      warningNode(`gate:${skillPath}:warning:${at}`, skillPath, {
        head: warningHead(warning, t),
        warning: retold(warning),
      }),
    ),
    ...(sealed === undefined ? [] : [sealedNode(skillPath, sealed)]),
  ];
}

function settleNodes(skillPath: string, verdict: Verdict): readonly TreeNode[] {
  const cure = settlesIt(verdict);
  if (cure === undefined) return [];
  // What is not shown needs tasks as much as what has too few to begin with.
  return [settleNode(skillPath, verdict.kind === 'inconclusive' ? verdict.cause : 'too-few-tasks', retold(cure))];
}

function settleNode(skillPath: string, cause: InconclusiveCause, cure: string): TreeNode {
  return {
    id: `gate:${skillPath}:settle`,
    skillPath,
    row: () => ({
      // The cure itself first: in a narrow view only the beginning of a row can be read.
      label: rowHead(cure),
      description: vscode.l10n.t('would settle it'),
      icon: 'lightbulb',
      contextValue: `gate.settle.${cause}`,
      says: vscode.l10n.t('What would settle it: {0}', cure),
      tooltip: () => `${cure}\n\n${wayOf(cause, skillPath).title}`,
      command: wayOf(cause, skillPath),
    }),
    children: noChildren,
  };
}

/** One click to the cure. */
function wayOf(cause: InconclusiveCause, skillPath: string): CommandLink {
  switch (cause) {
    case 'cap':
    case 'too-many-invalid':
      return commandLink('whetstone.gatherEvidence', vscode.l10n.t('Gather More Evidence'), skillPath);
    case 'error-budget-empty':
      return commandLink('whetstone.refillErrorBudget', vscode.l10n.t('Refill the Error Budget'), skillPath);
    case 'too-few-tasks':
      return commandLink('whetstone.draftTasks', vscode.l10n.t('Draft Tasks for This Skill'), skillPath);
  }
}

function warningNode(
  id: string,
  skillPath: string,
  { head, warning }: { readonly head: string; readonly warning: string },
): TreeNode {
  return {
    id,
    skillPath,
    row: () => ({
      label: head,
      description: head === warning ? undefined : warning,
      icon: 'warning',
      color: 'queued',
      contextValue: 'gate.warning',
      says: vscode.l10n.t('Warning: {0}', warning),
      tooltip: () => warning,
    }),
    children: noChildren,
  };
}

function sealedNode(skillPath: string, { before, after, n }: NonNullable<Proposal['sealed']>): TreeNode {
  return {
    id: `gate:${skillPath}:sealed`,
    skillPath,
    row: () => ({
      label: vscode.l10n.t('Final exam'),
      description: vscode.l10n.t('{0} · {1} sealed tasks, not used for the decision', percents({ before, after }), n),
      icon: 'lock',
      contextValue: 'gate.sealed',
      says: vscode.l10n.t(
        'Final exam: {0} sealed tasks scored {1} before and {2} after. They are not used for the decision.',
        n,
        percent(before),
        percent(after),
      ),
    }),
    children: noChildren,
  };
}
