import * as vscode from 'vscode';
import type { CandidatePrice } from '../../app/runs/certifications/candidatePrice.js';
import { commandLink } from '../commands/runCommand.js';
import type { OtherCandidate, Proposal } from '../../ports/proposal.js';
import {
  candidateNotes,
  candidateRows,
  certifyCost,
  certifySentence,
  type CandidateWords,
} from '../../wording/candidateText.js';
import { t } from '../../wording/translate.js';
import { noChildren, type TreeNode } from './treeNode.js';

/** What certifying each candidate takes that can be certified; none where that cannot be told right now. */
export type CandidatePrices = () => Promise<readonly CandidatePrice[]>;

/** What else a run found that chose by more than the score; nothing for any other. */
export function candidateNodes(skillPath: string, proposal: Proposal, prices: CandidatePrices): readonly TreeNode[] {
  const { candidates } = proposal;
  if (candidates === undefined || candidates.others.length === 0) return [];
  const { others } = candidates;
  const rows = candidateRows(proposal, t);
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
        tooltip: () => [...candidateNotes(proposal, t), ...rows.map(sentenceOf)].join('\n\n'),
      }),
      children: async () => {
        const known = await prices();
        return others.flatMap((other) => {
          const words = rows.find(({ id }) => id === other.id);
          const price = known.find(({ id }) => id === other.id);
          return words === undefined ? [] : [candidateNode(skillPath, other, { words, price })];
        });
      },
    },
  ];
}

interface CandidateTexts {
  readonly words: CandidateWords;
  readonly price: CandidatePrice | undefined;
}

function candidateNode(
  skillPath: string,
  { id, evidence }: OtherCandidate,
  { words, price }: CandidateTexts,
): TreeNode {
  const { verdict } = evidence ?? {};
  const isOpen = verdict === undefined || verdict.kind === 'inconclusive' || verdict.kind === 'unmeasured';
  const sentences = [sentenceOf(words), ...(price === undefined ? [] : [certifySentence(price, t)])];
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
      state: isOpen ? 'expanded' : 'leaf',
      contextValue: isOpen ? 'candidate.open' : `candidate.${verdict.kind}`,
      says: sentences.join(' '),
      tooltip: () => sentences.join('\n\n'),
    }),
    children: () => Promise.resolve(isOpen ? [certifyNode(skillPath, id, price)] : []),
  };
}

/** The same for the one in front, where it was put there as it is: nothing was measured of it on held-out tasks. */
export async function certifyNodes(
  skillPath: string,
  { verdict, candidates }: Proposal,
  prices: CandidatePrices,
): Promise<readonly TreeNode[]> {
  if (candidates === undefined || verdict.kind !== 'unmeasured' || verdict.cause !== 'not-certified') return [];
  const { id } = candidates.proposed;
  const price = (await prices()).find((each) => each.id === id);
  return [certifyNode(skillPath, id, price)];
}

/** The offer to certify it, with what that takes. It is asked about once more before anything is spent. */
function certifyNode(skillPath: string, candidate: string, price: CandidatePrice | undefined): TreeNode {
  const title = vscode.l10n.t('Certify This One');
  const said = price === undefined ? title : certifySentence(price, t);
  return {
    id: `candidates:${skillPath}:${candidate}:certify`,
    skillPath,
    candidateId: candidate,
    row: () => ({
      label: title,
      description: price === undefined ? undefined : certifyCost(price, t),
      icon: 'verified',
      contextValue: 'certify',
      says: /[.!?。]$/.test(said) ? said : `${said}.`,
      tooltip: () => said,
      command: commandLink('whetstone.certifyCandidate', title, { skillPath, candidate }),
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
