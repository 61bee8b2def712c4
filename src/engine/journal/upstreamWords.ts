/** What a step did, in the words of the paper's trainer, so that other tools can read it. */
export type UpstreamAction =
  | 'accept_new_best'
  | 'accept'
  | 'reject'
  | 'force_accept'
  | 'skip_no_patches'
  /** A rewrite was wanted, and none came that could be used. */
  | 'skip_no_rewrite';

/** What a step did, with the two outcomes that are ours. */
export type StepAction =
  | UpstreamAction
  /** Edits were proposed, and none of them could be applied. */
  | 'skip_no_change'
  /** The score is equal; the edit stays as a working branch, so that edits that only help together can be found. */
  | 'keep_as_branch';

/** What the paper's trainer says of an edit that its slow update wrote. */
export const slowUpdateFields: Readonly<Record<string, unknown>> = {
  update_origin: 'slow_update_momentum',
  update_target: 'What got worse over the epoch, and what failed all along.',
};

/** Those fields for an edit of the slow update, and none for any other. */
export function updateFields({ op }: { readonly op: string }): Readonly<Record<string, unknown>> {
  return op === 'slow_update' ? slowUpdateFields : {};
}

/** The hash of a text as the paper's trainer writes it: the first 16 digits of ours. */
export function upstreamHash(hash: string): string {
  return hash.slice(0, 16);
}
