import path from 'node:path';
import type { Proposal } from '../../src/ports/proposal.js';
import { writeProposal } from '../../src/storage/proposals/proposals.js';
import { aReviewProposal } from './aReviewProposal.js';
import { stagedStore } from './stageProposal.js';

/** Where a stranger sealed a proposal, and for which skill. */
export interface Forgery {
  readonly workspace: string;
  readonly skillPath: string;
  /** A folder of the stranger, for a state and a key of their own. */
  readonly stranger: string;
}

/** A proposal in a clone that somebody else sealed, with the verdict that they wish for. */
export async function forgeProposal(
  { workspace, skillPath, stranger }: Forgery,
  documents: Proposal['documents'],
): Promise<void> {
  const place = { workspace, state: path.join(stranger, 'state'), home: stranger };
  const store = await stagedStore(place, skillPath);
  await writeProposal(store, aReviewProposal(documents, { id: 'forged', skillKey: store.places.skillKey }));
}
