import type { ProposedEdit } from '../ports/proposal.js';
import type { Hunk } from '../skill/edits/hunks.js';
import type { Explanation } from './explainHunks.js';
import type { ProposalTexts } from './proposalTexts.js';

/** Who made a change that is still open. */
export type HunkOrigin =
  /** The proposal; `edited` where the person has changed its words, `saysMore` where it has lines that no edit made. */
  | {
      readonly kind: 'proposed';
      readonly edits: readonly ProposedEdit[];
      readonly edited: boolean;
      readonly saysMore: boolean;
    }
  /** The person, by writing in the proposal. */
  | { readonly kind: 'yours' }
  /** The person, by changing the file: the proposal does not have it, and nothing asks for it to be undone. */
  | { readonly kind: 'file' }
  /** The proposal, but none of its edits says why. */
  | { readonly kind: 'unexplained' };

/** One open change between the file and the proposal as both are now. */
export interface OpenChange {
  readonly hunk: Hunk;
  readonly origin: HunkOrigin;
  /** True where accepting it takes away text that the person wrote into the file. */
  readonly overwrites: boolean;
}

/** All that a review shows is made of: the proposal where nobody decided, and the two texts as they are. */
export interface ReviewTexts {
  readonly texts: ProposalTexts;
  readonly explained: Explanation;
  /** The file as it is now. */
  readonly real: string;
  /** The proposal as it is now. */
  readonly candidate: string;
}
