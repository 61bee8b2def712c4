import type { ProposedEdit } from '../../ports/proposal.js';
import type { UnmeasuredCause, Verdict } from '../../gate/verdict/verdict.js';
import { sha256 } from '../../hash.js';
import type { ProposedEdit } from '../ports/proposal.js';
import type { UnmeasuredCause, Verdict } from '../gate/verdict/verdict.js';
import { hashText } from '../skill/document/fingerprint.js';
import type { Ground } from './explainHunks.js';
import { decisionSeen } from './reviewDecision.js';

/** A verdict on a text that was measured by itself, after the person had taken part of a proposal. */
export interface MeasuredText {
  readonly hash: string;
  readonly verdict: Verdict;
  /** True where the simulated model answered, which is said wherever the verdict is. */
  readonly simulated?: boolean | undefined;
}

/** What is known about the skill as it is in the file now, while a proposal is being reviewed. */
export type Standing =
  /** None of the proposal is in the file. */
  | { readonly kind: 'untouched' }
  /** The file is, to the letter, what the proposal's verdict is about. */
  | { readonly kind: 'whole' }
  /** Nobody has measured this text. */
  | {
      readonly kind: 'unmeasured';
      readonly cause: Extract<UnmeasuredCause, 'partly-accepted' | 'edited-by-hand'>;
      readonly taken: number;
      readonly of: number;
    }
  /** It was measured by itself since. */
  | { readonly kind: 'measured'; readonly verdict: Verdict; readonly simulated?: boolean | undefined };

export interface StandingTexts {
  readonly ground: Ground;
  /** The proposal's own text: what its verdict is about. */
  readonly certified: string;
  readonly real: string;
  readonly edits: readonly ProposedEdit[];
  /** Edits that are still to be decided. */
  readonly open: ReadonlySet<string>;
  readonly measured: MeasuredText | undefined;
}

/** Whether the text in the file was ever measured. Part of a measured proposal was not. */
export function standingOf({ ground, certified, real, edits, open, measured }: StandingTexts): Standing {
  if (measured !== undefined && measured.hash === sha256(real))
    return { kind: 'measured', verdict: measured.verdict, simulated: measured.simulated };
  if (real === certified) return { kind: 'whole' };
  if (real === ground.base) return { kind: 'untouched' };
  const closed = edits.filter(({ id }) => !open.has(id));
  const taken = closed.filter((edit) => decisionSeen(edit, real).kind !== 'rejected').length;
  const cause = taken === edits.length ? 'edited-by-hand' : 'partly-accepted';
  return taken === 0 ? { kind: 'untouched' } : { kind: 'unmeasured', cause, taken, of: edits.length };
}
