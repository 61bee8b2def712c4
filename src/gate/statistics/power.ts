/** How often a true gain is found with so many held-out tasks. */
export interface Power {
  readonly n: number;
  /** Share of certifications that accept a gain of 20 points a task. */
  readonly found20: number;
  readonly found40: number;
}

/**
 * Measured by the gate bench, 20,000 certifications a figure, which also checks this table. Pass or fail, per-task pass
 * rates from Beta(1.2, 1.2): real tasks may be easier or harder. Soft scores find more. With twelve tasks the stricter
 * task condition begins, and costs a little.
 */
export const measuredPower: readonly Power[] = [
  { n: 5, found20: 0.129, found40: 0.469 },
  { n: 6, found20: 0.255, found40: 0.749 },
  { n: 7, found20: 0.353, found40: 0.875 },
  { n: 8, found20: 0.428, found40: 0.933 },
  { n: 9, found20: 0.492, found40: 0.959 },
  { n: 10, found20: 0.541, found40: 0.972 },
  { n: 11, found20: 0.603, found40: 0.98 },
  { n: 12, found20: 0.565, found40: 0.983 },
  { n: 14, found20: 0.674, found40: 0.993 },
  { n: 16, found20: 0.758, found40: 0.996 },
  { n: 20, found20: 0.857, found40: 0.998 },
  { n: 25, found20: 0.93, found40: 0.999 },
  { n: 30, found20: 0.964, found40: 1 },
  { n: 40, found20: 0.989, found40: 1 },
  { n: 60, found20: 0.998, found40: 1 },
];

/** What `n` held-out tasks can detect; straight lines between the measured counts, nothing below the minimum. */
export function powerOf(n: number): Power {
  const above = measuredPower.find((row) => row.n >= n);
  const below = measuredPower.findLast((row) => row.n <= n);
  if (below === undefined) return { n, found20: 0, found40: 0 };
  if (above === undefined || above.n === below.n) return { ...below, n };
  const share = (n - below.n) / (above.n - below.n);
  return {
    n,
    found20: below.found20 + share * (above.found20 - below.found20),
    found40: below.found40 + share * (above.found40 - below.found40),
  };
}
