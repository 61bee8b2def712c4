/** Every comparison of probabilities allows this much: budgets tie exactly (0.0125 x 5/8 is 1/128). */
export const epsilon = 1e-12;

/**
 * The law of "the sum of the winning magnitudes" when every sign is a fair coin: index is the sum, value its
 * probability. Plain numbers, so that it is stored and read back without losing a bit.
 */
export type WalkLaw = readonly number[];

/** Nothing tossed yet: the sum is 0. */
export const startOfWalk: WalkLaw = [1];

/** The law after one more fair coin for each magnitude. Exact; costs (length of the law) x (number of magnitudes). */
export function extendWalk(law: WalkLaw, magnitudes: readonly number[]): WalkLaw {
  if (magnitudes.length === 0) return law;
  const next = [...law]; // most laws are short: a typed array costs more to make than to fill
  for (const magnitude of magnitudes) {
    const { length } = next;
    for (let more = 0; more < magnitude; more++) next.push(0);
    // From the top down, so that every entry is read before anything is added to it.
    for (let at = length - 1; at >= 0; at--) {
      const half = (next[at] ?? 0) / 2;
      next[at] = half;
      next[at + magnitude] = (next[at + magnitude] ?? 0) + half;
    }
  }
  return next;
}

/** The chance of a sum of at least `from`. Small terms first: the tail is what is compared. */
export function upperTail(law: WalkLaw, from: number): number {
  let tail = 0;
  for (let at = law.length - 1; at >= Math.max(0, from); at--) tail += law[at] ?? 0;
  return tail;
}

/** The chance that flipping the sign of each value at random gives a total at least as high as theirs. */
export function signFlipProbability(values: readonly number[]): number {
  const magnitudes = values.filter((value) => value !== 0).map(Math.abs);
  const won = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  return upperTail(extendWalk(startOfWalk, magnitudes), won);
}

/** One-sided sign test: the chance of at least `successes` heads in `tosses` fair coins. */
export function coinProbability(successes: number, tosses: number): number {
  return upperTail(
    extendWalk(
      startOfWalk,
      Array.from({ length: tosses }, () => 1),
    ),
    successes,
  );
}
