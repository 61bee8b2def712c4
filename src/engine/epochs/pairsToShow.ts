import type { RunContext } from '../runContext.js';
import type { EpochPair, EpochTexts } from './compareEpoch.js';

/** Compared attempts without what the optimizer must not see of them. */
export async function pairsToShow(
  { withoutGivenAway }: RunContext,
  { first, last }: EpochTexts,
  pairs: readonly EpochPair[],
  signal: AbortSignal,
): Promise<readonly EpochPair[]> {
  if (withoutGivenAway === undefined) return pairs;
  const known = `${first.text}\n${last.text}`;
  const [before, after] = await Promise.all([
    withoutGivenAway(
      pairs.map((pair) => pair.before),
      known,
      signal,
    ),
    withoutGivenAway(
      pairs.map((pair) => pair.after),
      known,
      signal,
    ),
  ]);
  return pairs.map((pair, at) => ({ ...pair, before: before[at] ?? pair.before, after: after[at] ?? pair.after }));
}
