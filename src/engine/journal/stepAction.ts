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
