import type { TaskTally } from './tally.js';
import { coinProbability, epsilon } from './walk.js';

/** Pairs that were left out because an attempt gave no score. */
export interface Losses {
  readonly pairs: number;
  readonly lost: number;
  /** Lost because only the original's attempt was invalid. */
  readonly beforeOnly: number;
  /** Lost because only the candidate's attempt was invalid. */
  readonly afterOnly: number;
}

/** Above this share of left-out pairs the rest may be a selection, and nothing is decided on it. */
const lostShareLimit = 0.1;

/** Two-sided: six lost pairs on one side and none on the other are the least that says so (2/64). */
const oneSidedLimit = 0.05;

/** What was lost in `passes` complete passes. */
export function lossesOf(tallies: readonly TaskTally[], passes: number): Losses {
  let lost = 0;
  let beforeOnly = 0;
  let afterOnly = 0;
  for (const tally of tallies) {
    const lostHere = passes - tally.pairs;
    lost += lostHere;
    beforeOnly += lostHere - tally.after.invalid;
    afterOnly += lostHere - tally.before.invalid;
  }
  return { pairs: tallies.length * passes, lost, beforeOnly, afterOnly };
}

/**
 * Whether what is left may decide. `waiting`: more than a tenth of the pairs so far is missing, but complete passes
 * can still bring the share down, so an outage of a minute does not end a certification; the other two are final.
 */
type LossJudgement = 'fair' | 'waiting' | 'too-many-lost' | 'loss-differs-by-side';

/** `possiblePairs` is what the certification would have after its last pass. */
export function judgeLosses(losses: Losses, possiblePairs: number): LossJudgement {
  if (differsBySide(losses)) return 'loss-differs-by-side';
  if (losses.lost > lostShareLimit * possiblePairs + epsilon) return 'too-many-lost';
  return losses.lost > lostShareLimit * losses.pairs + epsilon ? 'waiting' : 'fair';
}

/** One skill loses its attempts more often than the other: what is left is not a fair comparison. */
function differsBySide(losses: Losses): boolean {
  const oneSided = losses.beforeOnly + losses.afterOnly;
  const more = Math.max(losses.beforeOnly, losses.afterOnly);
  return 2 * coinProbability(more, oneSided) <= oneSidedLimit + epsilon;
}

/** One-sided: a single task has too few passes for anything stricter. */
const beyondNoise = 0.1;

/** Below this many differing passes no sign probability can reach the limit; then unanimity decides. */
const passesForSigns = 4;

/** The task lost more passes than it won, and luck does not explain it. */
export function isWorse(tally: Pick<TaskTally, 'wins' | 'losses'>): boolean {
  return isOneSided(tally.losses, tally.wins);
}

/** The mirror of {@link isWorse}: the same evidence for the other side. */
export function isBetter(tally: TaskTally): boolean {
  return isOneSided(tally.wins, tally.losses);
}

function isOneSided(more: number, fewer: number): boolean {
  if (more <= fewer) return false;
  const differing = more + fewer;
  if (differing < passesForSigns) return fewer === 0;
  return coinProbability(more, differing) <= beyondNoise + epsilon;
}
