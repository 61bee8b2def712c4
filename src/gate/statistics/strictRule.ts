/** One task scored once under each skill, 0..1; undefined is an invalid result, and the pair is left out. */
export interface StrictPair {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** A task whose candidate was not attempted yet; `before` where the original's score is known already. */
export interface OpenTask {
  readonly before: number | undefined;
}

/** The paper's rule needs no probability: with so few tasks it still compares two means, and says how few they are. */
export const minimumStrictTasks = 3;

export interface StrictComparison {
  readonly outcome: 'higher' | 'equal' | 'lower';
  readonly before: number;
  readonly after: number;
  readonly compared: number;
  readonly lost: number;
}

/** Sums of float scores that differ by less are equal: a tie must not depend on the order of additions. */
const sameSum = 1e-9;

/** The paper's comparison: plain means over the tasks that both skills have a score for. */
export function compareStrictly(pairs: readonly StrictPair[]): StrictComparison {
  const complete = pairs.flatMap(completePair);
  const before = complete.reduce((sum, pair) => sum + pair.before, 0);
  const after = complete.reduce((sum, pair) => sum + pair.after, 0);
  const compared = complete.length;
  return {
    outcome: outcomeOf(after - before),
    before: compared === 0 ? 0 : before / compared,
    after: compared === 0 ? 0 : after / compared,
    compared,
    lost: pairs.length - compared,
  };
}

/** Selection inside a run: the mean is strictly higher. A tie selects nothing. Luck passes it often; see the docs. */
export function selects(pairs: readonly StrictPair[]): boolean {
  return compareStrictly(pairs).outcome === 'higher';
}

/** Under the strict rule any lower score is a regression. Indexes into `pairs`. */
export function lowerScores(pairs: readonly StrictPair[]): readonly number[] {
  return pairs.flatMap((pair, task) =>
    pair.before !== undefined && pair.after !== undefined && outcomeOf(pair.after - pair.before) === 'lower'
      ? [task]
      : [],
  );
}

/**
 * The answer of {@link selects} (with `noRegression`: and no score lower) as soon as no score of the open tasks can
 * change it, else undefined. An open task may still score anything from 0 to 1, or be lost.
 */
export function decideEarly(
  known: readonly StrictPair[],
  open: readonly OpenTask[],
  options: { readonly noRegression: boolean },
): boolean | undefined {
  if (options.noRegression && lowerScores(known).length > 0) return false;
  const { before, after, compared } = compareStrictly(known);
  const lead = (after - before) * compared;
  const most = open.reduce((sum, task) => sum + 1 - (task.before ?? 0), lead);
  const least = open.reduce((sum, task) => sum - (task.before ?? 1), lead);
  if (outcomeOf(most) !== 'higher') return false;
  const settled = outcomeOf(least) === 'higher' && (!options.noRegression || open.length === 0);
  return settled ? true : undefined;
}

function outcomeOf(difference: number): StrictComparison['outcome'] {
  if (difference > sameSum) return 'higher';
  return difference < -sameSum ? 'lower' : 'equal';
}

function completePair(pair: StrictPair): readonly { readonly before: number; readonly after: number }[] {
  return pair.before === undefined || pair.after === undefined ? [] : [{ before: pair.before, after: pair.after }];
}
