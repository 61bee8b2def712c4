import { begin, type Certification } from './certification.js';
import type { ScoreGrid } from './scores.js';

/** How much worse a shorter skill may be, in points of the metric. Five points would need hundreds of tasks. */
export const parsimonyMargin = 0.1;

/** For one test, at the margin. It is a claim of its own; that it cannot be tried for ever is the error budget's doing. */
const parsimonyAlpha = 0.05;

/** Equality is shown more slowly than a gain: sixteen passes find it four times in five with twenty tasks. */
const parsimonyPasses = 16;

/** Lenient at first, then one half: a shorter skill that is truly equal looks worse in half of all first passes. */
const parsimonyFutility = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];

/**
 * A certification that a candidate which only shortens the skill is not worse by the margin. The same machine on
 * `difference + margin`, in whole steps. Approximate: at the margin itself the signs are no fair coins; the error
 * measured there is in the docs.
 */
export function startParsimony(start: {
  readonly n: number;
  readonly grid: ScoreGrid;
  readonly noRegression?: boolean;
}): Certification {
  // On the grid of pass or fail the margin is a tenth of a step: ten times finer makes it whole.
  const scale = start.grid === 1 ? 10 : 1;
  return begin(start.n, {
    claim: 'not-worse',
    plan: {
      alpha: parsimonyAlpha,
      maxPasses: parsimonyPasses,
      futility: parsimonyFutility,
      taskLimit: parsimonyAlpha,
    },
    grid: start.grid,
    scale,
    shift: Math.round(parsimonyMargin * start.grid * scale),
    noRegression: start.noRegression ?? false,
  });
}
