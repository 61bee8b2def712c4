import type { GateMetric } from '../verdict/verdict.js';

/** A score as an integer on its grid, or no score at all. Integers, because float means tie by accident. */
export type GateScore = number | 'invalid';

/** Steps between 0 and 1: 1 is pass or fail. */
export type ScoreGrid = 1 | 20 | 100;

/** Above this many pairs the exact law of a 1/100 grid has millions of entries to add a pass; 1/20 stays quick. */
const pairsOnFineGrid = 2000;

/** The share of `soft` in the mixed metric unless the person says otherwise. */
export const defaultMixedWeight = 0.5;

/** The grid that a whole certification stays on: chosen before its first pass, never changed. */
export function gridFor(metric: GateMetric, pairs: number): ScoreGrid {
  if (metric === 'hard') return 1;
  return pairs > pairsOnFineGrid ? 20 : 100;
}

/** The score under the metric, clamped to 0..1; undefined where it is not a finite number: invalid, not zero. */
export function metricScore(
  scores: { readonly hard: number; readonly soft: number },
  metric: GateMetric,
  mixedWeight: number = defaultMixedWeight,
): number | undefined {
  switch (metric) {
    case 'hard':
      return clamp(scores.hard);
    case 'soft':
      return clamp(scores.soft);
    case 'mixed': {
      const hard = clamp(scores.hard);
      const soft = clamp(scores.soft);
      const weight = clamp(mixedWeight) ?? defaultMixedWeight;
      return hard === undefined || soft === undefined ? undefined : (1 - weight) * hard + weight * soft;
    }
  }
}

/** On the grid of pass or fail only full marks pass: three quarters of a hard score are a fail, as for its checks. */
export function toGrid(score: number | undefined, grid: ScoreGrid): GateScore {
  const clamped = score === undefined ? undefined : clamp(score);
  if (clamped === undefined) return 'invalid';
  return grid === 1 ? Math.floor(clamped + 1e-9) : Math.round(clamped * grid);
}

function clamp(score: number): number | undefined {
  return Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : undefined;
}
