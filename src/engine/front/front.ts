import { lengthOf, type Candidate } from '../candidate.js';
import type { Random } from '../random.js';
import type { ChoiceRule, CostMeasure } from './choiceOptions.js';

/** What a candidate came to on the training tasks. */
export interface MeasuredCandidate {
  readonly candidate: Candidate;
  /** The mean of each task by its id; a task without a valid attempt is missing. */
  readonly scores: ReadonlyMap<string, number>;
  /** Less is better; undefined where nobody measured it. */
  readonly costs: Readonly<Record<CostMeasure, number | undefined>>;
}

const sameScore = 1e-9;

/**
 * The candidates that no other one is as good as in everything: on every training task, and in every measure that counts.
 * Of those that are equal in all of it the shorter one stays, then the earlier. In the order given.
 */
export function frontOf(
  all: readonly MeasuredCandidate[],
  measures: readonly CostMeasure[],
): readonly MeasuredCandidate[] {
  const known = measures.filter((measure) => isKnownOf(all, measure));
  const isBeaten = (each: MeasuredCandidate, at: number): boolean =>
    all.some((other, index) => {
      if (index === at) return false;
      const found = compared(other, each, known);
      if (found === 'equal') return isShorter(other, each) || (!isShorter(each, other) && index < at);
      return found === 'better';
    });
  return all.filter((each, at) => !isBeaten(each, at));
}

/** A measure that one of them has no figure for tells nothing of any: else three could each be beaten by the next. */
function isKnownOf(all: readonly MeasuredCandidate[], measure: CostMeasure): boolean {
  return all.every(({ costs }) => costs[measure] !== undefined);
}

/** Better, where it is nowhere worse and somewhere better. */
function compared(
  one: MeasuredCandidate,
  other: MeasuredCandidate,
  measures: readonly CostMeasure[],
): 'better' | 'equal' | undefined {
  const gains: number[] = [];
  for (const [task, score] of other.scores) {
    const own = one.scores.get(task);
    if (own === undefined) return undefined; // nobody knows whether it is as good there
    gains.push(own - score);
  }
  for (const measure of measures) {
    gains.push((other.costs[measure] ?? 0) - (one.costs[measure] ?? 0));
  }
  if (gains.some((gain) => gain < -sameScore)) return undefined;
  return gains.some((gain) => gain > sameScore) ? 'better' : 'equal';
}

function isShorter({ candidate }: MeasuredCandidate, than: MeasuredCandidate): boolean {
  return lengthOf(candidate) < lengthOf(than.candidate);
}

/** The tasks on which each is the best of all, or as good as the best; a task that all of them fail has no best. */
export function bestOn(each: MeasuredCandidate, all: readonly MeasuredCandidate[]): readonly string[] {
  return [...each.scores].flatMap(([task, score]) => {
    const most = Math.max(...all.map(({ scores }) => scores.get(task) ?? 0));
    return score > 0 && score >= most - sameScore ? [task] : [];
  });
}

/**
 * The candidate that a step starts from: drawn among those of the front that are the best on some task, the more tasks the
 * likelier. Where no task is passed at all, among all of the front.
 */
export function drawParent(front: readonly MeasuredCandidate[], random: Random): MeasuredCandidate | undefined {
  const weights = front.map((each) => bestOn(each, front).length);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return front[Math.floor(random() * front.length)];
  let at = random() * total;
  return front.find((_, index) => (at -= weights[index] ?? 0) < 0) ?? front.at(-1);
}

/** The mean over the tasks that all of them have a score for; over its own where there is none of those. */
export function scoreAmong(
  { scores }: MeasuredCandidate,
  all: readonly MeasuredCandidate[],
): { readonly score: number | undefined; readonly tasks: number } {
  const shared = [...scores].filter(([task]) => all.every((each) => each.scores.has(task)));
  const counted = (shared.length > 0 ? shared : [...scores]).map(([, score]) => score);
  const sum = counted.reduce((total, score) => total + score, 0);
  return { score: counted.length === 0 ? undefined : sum / counted.length, tasks: counted.length };
}

/** How a candidate did against the original on training tasks; undefined where one of them has no score. */
export function outcomeOn(
  original: MeasuredCandidate,
  each: MeasuredCandidate,
): 'higher' | 'equal' | 'lower' | undefined {
  const pair = [original, each];
  const [before, after] = [scoreAmong(original, pair).score, scoreAmong(each, pair).score];
  if (before === undefined || after === undefined) return undefined;
  if (after > before + sameScore) return 'higher';
  return after < before - sameScore ? 'lower' : 'equal';
}

/**
 * The candidate that the rule names: of those that a certification can bear out, which score higher than the original, or
 * no lower and are shorter. The original where there is none. Ties go to the shorter skill, then to the earlier one.
 */
export function chooseBy(
  rule: ChoiceRule,
  [original, ...others]: readonly [MeasuredCandidate, ...MeasuredCandidate[]],
): MeasuredCandidate {
  const provable = others.filter((each) => {
    const outcome = outcomeOn(original, each);
    return outcome === 'higher' || (outcome === 'equal' && isShorter(each, original));
  });
  const all = [original, ...others];
  const scores = new Map(provable.map((each) => [each, scoreAmong(each, all).score ?? 0]));
  const byScore = (a: MeasuredCandidate, b: MeasuredCandidate): number => {
    const gain = (scores.get(b) ?? 0) - (scores.get(a) ?? 0);
    return Math.abs(gain) <= sameScore ? 0 : gain;
  };
  const byCost =
    (measure: CostMeasure) =>
    (a: MeasuredCandidate, b: MeasuredCandidate): number => {
      return isKnownOf(provable, measure) ? (a.costs[measure] ?? 0) - (b.costs[measure] ?? 0) : 0;
    };
  const byLength = (a: MeasuredCandidate, b: MeasuredCandidate): number =>
    lengthOf(a.candidate) - lengthOf(b.candidate);
  const orders = {
    score: [byScore, byLength],
    'shortest-not-worse': [byCost('skill-tokens'), byLength, byScore],
    'cheapest-at-best-score': [byScore, byCost('answer-tokens'), byLength],
    'fastest-at-best-score': [byScore, byCost('answer-time'), byLength],
  }[rule];
  const isBefore = (a: MeasuredCandidate, b: MeasuredCandidate): boolean =>
    (orders.map((order) => order(a, b)).find((difference) => difference !== 0) ?? 0) < 0;
  return (
    provable.reduce<MeasuredCandidate | undefined>(
      (found, each) => (found === undefined || isBefore(each, found) ? each : found),
      undefined,
    ) ?? original
  );
}
