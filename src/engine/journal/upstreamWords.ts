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

/** Where a text of a run came from: the step that made it, 0 for the skill as it was. */
export interface TextOrigin {
  readonly step: number;
  readonly origin: string;
  readonly hash: string;
}

/** The best text, and the one that the run goes on with. */
export interface TextOrigins {
  readonly best: TextOrigin;
  readonly current: TextOrigin;
}

/** An event after which a run has chosen both. */
export interface TextChosen {
  readonly kind: 'step-ended' | 'slow-update';
  readonly step: number;
  readonly epoch: number;
  readonly bestHash: string;
  readonly currentHash: string;
}

/** The skill as it was, in both places. */
export function firstOrigins(baseHash: string): TextOrigins {
  const initial = { step: 0, origin: 'initial_skill', hash: baseHash };
  return { best: initial, current: initial };
}

export function originsAfter({ best, current }: TextOrigins, chosen: TextChosen): TextOrigins {
  const { kind, step, epoch, bestHash, currentHash } = chosen;
  const origin =
    kind === 'step-ended'
      ? `step_${String(step).padStart(4, '0')}`
      : `slow_update_epoch_${String(epoch).padStart(2, '0')}`;
  const after = (before: TextOrigin, hash: string): TextOrigin =>
    hash === before.hash ? before : { step, origin, hash };
  return { best: after(best, bestHash), current: after(current, currentHash) };
}

/** Both under the names that the paper's trainer has for them. */
export function originFields(origins: TextOrigins | undefined): Readonly<Record<string, unknown>> {
  return {
    best_step: origins?.best.step ?? null,
    best_origin: origins?.best.origin ?? null,
    current_origin: origins?.current.origin ?? null,
  };
}
