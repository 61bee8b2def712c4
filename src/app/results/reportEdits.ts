import type { EditWorth, Proposal } from '../../ports/proposal.js';
import { documentName, isScriptDocument } from '../../skill/package/packageFile.js';
import { ownReceipts, type Receipt } from '../../storage/adoption/receipts.js';
import { readDecisions } from '../../storage/proposals/decisions.js';
import { takeOutProposal } from '../../storage/proposals/proposals.js';
import type { SkillStore } from '../../storage/state/store.js';
import { boundEdits } from '../proposals/chosenPart.js';
import type { PendingProposal } from '../proposals/pending.js';

export interface ReportEdit {
  readonly id: string;
  readonly op: string;
  /** The file that it changes, where that is not SKILL.md. */
  readonly file?: string | undefined;
  /** Only of an edit that changes a script. */
  readonly script?: true;
  /** What it writes; of a deletion what it takes away. */
  readonly text: string;
  readonly rationale: string;
  readonly worth: EditWorth;
  /** The environment that proposed it itself, where one did. */
  readonly environment?: string | undefined;
  readonly decision: 'open' | 'accepted' | 'rejected' | 'edited';
  /** It and the others that it can only be decided with; none where it stands alone. */
  readonly together: readonly string[];
}

/** How much of a proposal was adopted and not undone again. */
export type InSkill = 'all' | 'part' | 'none';

/** Says of every proposal how much of it is in the skill, from this user's own receipts. */
export async function adoptedParts(store: SkillStore): Promise<(proposalId: string | undefined) => InSkill> {
  const standing = standingAdoptions(await ownReceipts(store));
  return (id) => {
    const last = id === undefined ? undefined : standing.find(({ proposalId }) => proposalId === id);
    if (last === undefined) return 'none';
    // A receipt has the verdict of the proposal only where its text is the whole of it.
    return last.verdict === 'unmeasured' ? 'part' : 'all';
  };
}

/**
 * The edits of a proposal and what was decided on each: of the one that waits, or of the one that was put away last,
 * when all of it was decided. None where nothing of it is kept any more.
 */
export async function reportedEdits(
  store: SkillStore,
  proposalId: string | undefined,
  pending: Pick<PendingProposal, 'proposal' | 'decisions'> | undefined,
): Promise<readonly ReportEdit[]> {
  if (proposalId === undefined) return [];
  if (pending?.proposal.id === proposalId) {
    return rowsOf(pending.proposal, (id) => pending.decisions[id]?.kind ?? 'open');
  }
  const proposal = await takeOutProposal(store, proposalId);
  if (proposal === undefined) return [];
  const decisions = await readDecisions(store, proposalId);
  const standing = standingAdoptions(await ownReceipts(store));
  // An adoption of the whole leaves no decisions on single edits, only its receipt.
  const taken = new Set(standing.flatMap((receipt) => (receipt.proposalId === proposalId ? receipt.edits : [])));
  return rowsOf(proposal, (id) => decisions[id]?.kind ?? (taken.has(id) ? 'accepted' : 'open'));
}

function rowsOf({ documents }: Proposal, decisionOn: (id: string) => ReportEdit['decision']): readonly ReportEdit[] {
  return documents.flatMap((document) => {
    const bound = boundEdits(document);
    return document.edits.map(({ id, edit, worth, environment }) => ({
      id,
      op: edit.op,
      ...(document.kind === 'file' ? { file: documentName(document.path) } : {}),
      ...(isScriptDocument(document) ? { script: true as const } : {}),
      text: 'content' in edit ? edit.content : edit.anchor,
      rationale: edit.rationale,
      worth,
      ...(environment === undefined ? {} : { environment }),
      decision: decisionOn(id),
      together: bound.find((unit) => unit.includes(id)) ?? [],
    }));
  });
}

function standingAdoptions(receipts: readonly Receipt[]): readonly Receipt[] {
  const undone = new Set(receipts.flatMap(({ undoes }) => undoes));
  return receipts.filter(({ action, seq }) => action === 'adopt' && !undone.has(seq));
}
