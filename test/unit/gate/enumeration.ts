import type { SequentialPlan } from '../../../src/gate/statistics/sequentialTest.js';

/** All 2^count patterns of +1 and -1. */
export function signPatterns(count: number): readonly (readonly (1 | -1)[])[] {
  const known = patternsByCount.get(count);
  if (known !== undefined) return known;
  const patterns = Array.from({ length: 2 ** count }, (_, pattern) =>
    Array.from({ length: count }, (__, at): 1 | -1 => (Math.floor(pattern / 2 ** at) % 2 === 1 ? 1 : -1)),
  );
  patternsByCount.set(count, patterns);
  return patterns;
}

const patternsByCount = new Map<number, readonly (readonly (1 | -1)[])[]>();

/**
 * The boundary by brute force, sharing nothing with the implementation: at every look the patterns that have not
 * crossed yet are sorted by what they won, and whole groups of equal sums are taken from the top while they fit.
 * Gives for each pattern of {@link signPatterns} the look (from 1) at which it crosses, or undefined.
 */
export function crossingLooks(
  plan: SequentialPlan,
  magnitudesByPass: readonly (readonly number[])[],
): readonly (number | undefined)[] {
  const magnitudes = magnitudesByPass.flat();
  const patterns = signPatterns(magnitudes.length);
  const weight = 1 / patterns.length;
  const crossed: (number | undefined)[] = patterns.map(() => undefined);
  let seen = 0;
  let spent = 0;
  for (const [look, pass] of magnitudesByPass.entries()) {
    seen += pass.length;
    const budget = (plan.alpha * (look + 1)) / plan.maxPasses;
    const groups = bySumWon(
      patterns.map((signs) => signs.slice(0, seen)),
      magnitudes,
      (index) => crossed[index] === undefined,
    );
    for (const won of [...groups.keys()].sort((a, b) => b - a)) {
      const group = groups.get(won) ?? [];
      if (spent + group.length * weight > budget + 1e-12) break;
      spent += group.length * weight;
      for (const index of group) crossed[index] = look + 1;
    }
  }
  return crossed;
}

/** Indexes of the patterns that are still of interest, by the sum of the magnitudes with a plus. */
function bySumWon(
  patterns: readonly (readonly (1 | -1)[])[],
  magnitudes: readonly number[],
  isOpen: (index: number) => boolean,
): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const [index, signs] of patterns.entries()) {
    if (!isOpen(index)) continue;
    const won = signs.reduce<number>((sum, sign, at) => sum + (sign === 1 ? (magnitudes[at] ?? 0) : 0), 0);
    const group = groups.get(won);
    if (group === undefined) groups.set(won, [index]);
    else group.push(index);
  }
  return groups;
}
