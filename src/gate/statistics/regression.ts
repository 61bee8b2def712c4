import type { TaskTally } from './tally.js';
import { coinProbability, epsilon } from './walk.js';

/** One-sided: a single task has too few passes for anything stricter. */
const beyondNoise = 0.1;

/** Below this many differing passes no sign probability can reach the limit; then unanimity decides. */
const passesForSigns = 4;

/** The task lost more passes than it won, and luck does not explain it. */
export function isWorse(tally: TaskTally): boolean {
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
