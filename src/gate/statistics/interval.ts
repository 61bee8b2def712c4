/** Half of the 5 % that a 95 % interval may miss. */
const missedOnEachSide = 0.025;

/**
 * 95 % interval for the mean difference over tasks like these: Student's t on one mean a task, because the passes of
 * one task are no independent evidence about tasks. Cut at -1 and 1; undefined below two tasks.
 *
 * Where every task moved exactly alike t would claim certainty. Then the interval is what `pairs` equal outcomes still
 * allow: with 95 % confidence at most a share `1 - 0.025^(1/pairs)` of outcomes is of another kind, at worst -1 or 1.
 *
 * It is not corrected for stopping early: the gain of an accepted edit is too rosy, and so is its interval.
 */
export function differenceInterval(
  taskDifferences: readonly number[],
  pairs: number,
): readonly [number, number] | undefined {
  const n = taskDifferences.length;
  if (n < 2) return undefined;
  const mean = meanOf(taskDifferences);
  const squares = taskDifferences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  // Grid scores are whole hundredths: anything smaller than this is the rounding of floats.
  if (squares < 1e-18) {
    const otherwise = 1 - missedOnEachSide ** (1 / Math.max(1, pairs));
    return [mean - otherwise * (mean + 1), mean + otherwise * (1 - mean)];
  }
  const half = studentPoint(n - 1) * Math.sqrt(squares / (n - 1) / n);
  return [Math.max(-1, mean - half), Math.min(1, mean + half)];
}

/**
 * Wilson's 95 % interval for a share: so many of so many independent trials. It stays within 0 and 1 and claims no
 * certainty where all trials came out alike. Undefined where there were none.
 */
export function shareInterval(hits: number, of: number): readonly [number, number] | undefined {
  if (of === 0) return undefined;
  const z = normalPoint ** 2;
  const share = hits / of;
  const middle = (share + z / (2 * of)) / (1 + z / of);
  const half = (normalPoint * Math.sqrt((share * (1 - share)) / of + z / (4 * of ** 2))) / (1 + z / of);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** The plain mean; 0 for nothing, which callers rule out where it would mislead. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 97.5 % points for one to ten degrees of freedom, where the expansion below is not good enough. */
const fewDegrees = [12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814];

/** 97.5 % point of the normal distribution. */
const normalPoint = 1.959964;

/** Half-width, in standard errors, of a two-sided 95 % interval. Right to three digits for every degree of freedom. */
export function studentPoint(degreesOfFreedom: number): number {
  const z = normalPoint;
  const df = Math.max(1, Math.floor(degreesOfFreedom));
  return (
    fewDegrees[df - 1] ??
    z +
      (z ** 3 + z) / (4 * df) +
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * df ** 2) +
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * df ** 3)
  );
}
