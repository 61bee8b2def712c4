import * as vscode from 'vscode';
import type { OtherCandidate, Proposal } from '../../ports/proposal.js';
import { candidateRows, type CandidateWords } from '../../wording/candidateText.js';
import { t } from '../../wording/translate.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** What else a run found that chose by more than the score; nothing for any other. */
export function candidateNodes(skillPath: string, proposal: Proposal): readonly TreeNode[] {
  const { candidates } = proposal;
  if (candidates === undefined || candidates.others.length === 0) return [];
  const rows = candidateRows(proposal, t);
  const others = candidates.others.flatMap((other) => {
    const words = rows.find(({ id }) => id === other.id);
    return words === undefined ? [] : [candidateNode(skillPath, other, words)];
  });
  return [
    {
      id: `candidates:${skillPath}`,
      skillPath,
      row: () => ({
        label: vscode.l10n.t('Other candidates'),
        description: String(others.length),
        icon: 'list-tree',
        state: 'collapsed',
        contextValue: 'candidates',
        says: vscode.l10n.t('{0} other candidates of the run, on training tasks.', others.length),
        tooltip: () => rows.map(sentenceOf).join('\n'),
      }),
      children: () => Promise.resolve(others),
    },
  ];
}

function candidateNode(skillPath: string, { id, evidence }: OtherCandidate, words: CandidateWords): TreeNode {
  const { verdict } = evidence ?? {};
  const isOpen = verdict === undefined || verdict.kind === 'inconclusive' || verdict.kind === 'unmeasured';
  return {
    id: `candidates:${skillPath}:${id}`,
    skillPath,
    candidateId: id,
    row: () => ({
      label: id,
      description: [
        words.status,
        vscode.l10n.t('{0} on training tasks', words.score),
        vscode.l10n.t('{0} tokens', words.skillTokens),
      ].join(' · '),
      icon: isOpen ? 'circle-outline' : 'circle-filled',
      contextValue: isOpen ? 'candidate.open' : `candidate.${verdict.kind}`,
      says: sentenceOf(words),
      tooltip: () => sentenceOf(words),
    }),
    children: noChildren,
  };
}

function sentenceOf({ id, status, score, skillTokens, answerTokens, answerTime }: CandidateWords): string {
  return vscode.l10n.t(
    '{0}: {1}. Training tasks {2}, tokens of the skill {3}, of an answer {4}, time of an answer {5}.',
    id,
    status,
    score,
    skillTokens,
    answerTokens,
    answerTime,
  );
}
