import type { Claim } from './certification.js';
import { planBlock, planBlocks, type BlockPlan, type Subset } from './attributionPlan.js';
import {
  differencesOf,
  effectsIn,
  fallingNoise,
  groupByTask,
  noiseOf,
  scoreOf,
  type FactorObservations,
} from './factorEffects.js';
import { meanOf, studentPoint } from './interval.js';
import { epsilon } from './walk.js';

/** What was measured so far. JSON: stored after every block. */
export interface Attribution extends FactorObservations {
  readonly tasks: number;
  readonly plan: BlockPlan;
  readonly blocks: number;
}

/** What one factor is worth on these training tasks: mean with it minus mean without it. */
interface FactorEffect {
  readonly effect: number;
  /**
   * 95 %, for the noise of the attempts, and for which of the training tasks were tried where not all were; says nothing
   * about other tasks.
   */
  readonly interval: readonly [number, number];
  readonly standardError: number;
}

/** A factor whose effect is further from zero than this many standard errors is clear enough to keep or drop. */
const clearBy = 1.5;

/** So many standard errors better on training tasks, and the bundle is certified instead of a part of it. */
const betterBy = 4;

/** Before the first block. Without a plan every block goes over every task. */
export function startAttribution(start: {
  readonly factors: number;
  readonly tasks: number;
  readonly plan?: BlockPlan;
}): Attribution {
  const { factors, tasks } = start;
  const costs = Array.from({ length: tasks }, () => 1);
  const plan = start.plan ?? planBlocks({ factors, costs, mostCalls: undefined });
  return { factors, tasks, plan, blocks: 0, observations: [] };
}

/** The variants that the next block needs. */
export function nextBlock(attribution: Attribution): readonly Subset[] {
  return planBlock(attribution.factors, attribution.blocks + 1);
}

/** The tasks that the next block tries them on. */
export function nextTasks({ plan, blocks }: Attribution): readonly number[] {
  return plan.blocks[blocks] ?? [];
}

/** One complete block: `scores[variant][task]`, in the order of {@link nextBlock} and {@link nextTasks}, undefined where it was invalid. */
export function addBlock(attribution: Attribution, scores: readonly (readonly (number | undefined)[])[]): Attribution {
  const variants = nextBlock(attribution);
  const tasks = nextTasks(attribution);
  if (scores.length !== variants.length || scores.some((row) => row.length !== tasks.length)) {
    throw new RangeError(`A block holds ${variants.length} variants of ${tasks.length} tasks.`);
  }
  const attempts = variants.flatMap((variant, at) =>
    tasks.map((task, place) => ({ task, variant, score: scores[at]?.[place] })),
  );
  return { ...withAttempts(attribution, attempts), blocks: attribution.blocks + 1 };
}

/** One attempt at a task under a variant; `score` undefined where it was invalid. */
interface VariantAttempt {
  readonly task: number;
  readonly variant: Subset;
  readonly score: number | undefined;
}

function withAttempts(attribution: Attribution, attempts: readonly VariantAttempt[]): Attribution {
  const observed = attempts.flatMap(({ task, variant, score }) =>
    score === undefined ? [] : [{ task, carried: carriedBy(attribution, variant), score }],
  );
  return { ...attribution, observations: [...attribution.observations, ...observed] };
}

function carriedBy({ factors }: Attribution, variant: Subset): readonly boolean[] {
  return Array.from({ length: factors }, (_, factor) => variant.includes(factor));
}

/** True once every factor is clear, or the last block is in. */
export function isAttributed(attribution: Attribution): boolean {
  if (attribution.blocks >= attribution.plan.blocks.length) return true;
  return attribution.blocks > 0 && isClear(attribution);
}

/**
 * Nothing is clear before every subset was tried: in half of them an edit that is needed beside any one of several others
 * shows nothing, and one that is useless beside several that need each other shows what they do.
 */
function isClear(attribution: Attribution): boolean {
  const halves = planBlock(attribution.factors, 1).length < 2 ** attribution.factors;
  if (halves && attribution.blocks < 2) return false;
  return effectsOf(attribution).every(
    ({ effect, standardError }) => Math.abs(effect) + epsilon >= clearBy * standardError,
  );
}

/**
 * The factors worth keeping. For a gain: those whose effect is above zero; a useless one stays by luck about every second
 * time. Where the skill only has to get shorter at no loss: all but those that clearly do harm. Where the bound ended it in
 * doubt the sign says too little: then a gain has to be clear, or a loss absent, and at least the best one stays. A list of
 * claims has one for each factor.
 */
export function keptFactors(attribution: Attribution, claim: Claim | readonly Claim[] = 'better'): readonly number[] {
  const effects = effectsOf(attribution);
  const kept = effects.flatMap(({ effect, standardError }, factor) => {
    const own = typeof claim === 'string' ? claim : claim[factor];
    const least = (own === 'not-worse' ? -clearBy : 0) + (isDoubtful(attribution) ? clearBy : 0);
    return effect > least * standardError + (own === 'not-worse' ? -epsilon : epsilon) ? [factor] : [];
  });
  if (kept.length > 0 || !isDoubtful(attribution)) return kept;
  const best = Math.max(...effects.map(({ effect }) => effect));
  return [effects.findIndex(({ effect }) => effect === best)];
}

/** True where a bound ended it before every factor was clear. */
export function isDoubtful(attribution: Attribution): boolean {
  return attribution.plan.bounded && !isClear(attribution);
}

/** What is left for the comparison with the bundle. */
interface ComparisonRoom {
  /** How many calls one attempt at each task takes. */
  readonly costs: readonly number[];
  readonly mostCalls: number | undefined;
}

/**
 * What the comparison of these factors with all of them still lacks: on the tasks that were tried, and then on others, as
 * far as calls are left, because an edit that showed nothing on some tasks may be what others need. Where all that was
 * dropped clearly does harm, no other task is asked.
 */
export function untried(
  attribution: Attribution,
  kept: Subset,
  { costs, mostCalls = Number.POSITIVE_INFINITY }: ComparisonRoom,
): readonly Omit<VariantAttempt, 'score'>[] {
  const order = Array.from({ length: attribution.tasks }, (_, task) => task);
  const tried = new Set(attribution.plan.blocks.slice(0, attribution.blocks).flat());
  const others = order.filter((task) => !tried.has(task) && mayBeNeeded(attribution, kept));
  let calls = 0;
  return [...order.filter((task) => tried.has(task)), ...others].flatMap((task) => {
    const missing = [kept, bundleOf(attribution)].filter((variant) => !wasPlanned(attribution, variant, task));
    calls += missing.length * (costs[task] ?? 1);
    return calls > mostCalls ? [] : missing.map((variant) => ({ task, variant }));
  });
}

function mayBeNeeded(attribution: Attribution, kept: Subset): boolean {
  return effectsOf(attribution).some(
    ({ effect, standardError }, factor) =>
      !kept.includes(factor) && (effect > -epsilon || effect > -clearBy * standardError),
  );
}

function wasPlanned({ factors, plan, blocks }: Attribution, variant: Subset, task: number): boolean {
  return plan.blocks
    .slice(0, blocks)
    .some(
      (tasks, block) => tasks.includes(task) && planBlock(factors, block + 1).some((each) => isSame(each, variant)),
    );
}

/**
 * Whether all factors together do better on the training tasks than the ones kept, by more than the noise of the attempts
 * explains: then they need each other in a way that no single effect shows.
 */
export function isBundleBetter(attribution: Attribution, kept: Subset, more: readonly VariantAttempt[]): boolean {
  const differences = groupByTask(withAttempts(attribution, more)).flatMap((observations) => {
    const under = (variant: Subset): readonly number[] => {
      const carried = carriedBy(attribution, variant);
      return observations.filter((each) => each.carried.every((has, at) => has === carried[at])).map(scoreOf);
    };
    const [part, bundle] = [under(kept), under(bundleOf(attribution))];
    if (part.length === 0 || bundle.length === 0) return [];
    return [{ difference: meanOf(bundle) - meanOf(part), share: 1 / part.length + 1 / bundle.length }];
  });
  if (differences.length === 0) return false;
  const byTask = groupByTask(attribution);
  const noise = Math.min(noiseOf(attribution, byTask).variance, fallingNoise(byTask));
  const variance = noise * differences.reduce((sum, { share }) => sum + share, 0);
  const standardError = Math.sqrt(variance) / differences.length;
  const better = meanOf(differences.map(({ difference }) => difference));
  return better > epsilon && better + epsilon >= betterBy * standardError;
}

function bundleOf({ factors }: Attribution): Subset {
  return Array.from({ length: factors }, (_, factor) => factor);
}

function isSame(a: Subset, b: Subset): boolean {
  return a.length === b.length && a.every((factor) => b.includes(factor));
}

/**
 * One effect a factor. The noise is what remains once each task's own level and its own effects are taken out: an edit that
 * mends some tasks and leaves others alone is not noisy for that, once all of them were tried. Before, those that were not
 * may be other than those that were.
 */
export function effectsOf(attribution: Attribution): readonly FactorEffect[] {
  const byTask = groupByTask(attribution);
  const count = attribution.observations.length;
  const noise = noiseOf(attribution, byTask);
  // Half of the attempts carry each factor: the variance of a difference of two means of count / 2 attempts.
  const ofNoise = (4 * noise.variance) / Math.max(1, count);
  const tried = Math.min(1, byTask.length / attribution.tasks);
  const degrees = tried < 1 ? Math.max(1, Math.min(noise.degrees, byTask.length - 1)) : noise.degrees;
  return effectsIn(attribution, byTask).map((effect, factor) => {
    const ofTasks = tried < 1 ? spreadOf(differencesOf(byTask, factor)) : 0; // the noise of the attempts is part of it
    const standardError = Math.sqrt(tried * ofNoise + (1 - tried) * ofTasks);
    const half = studentPoint(degrees) * standardError;
    return { effect, interval: [Math.max(-1, effect - half), Math.min(1, effect + half)], standardError };
  });
}

/** The variance of the mean of these, which a single one says nothing about. */
function spreadOf(differences: readonly number[]): number {
  if (differences.length < 2) return 1;
  const mean = meanOf(differences);
  const squares = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0);
  return squares / (differences.length - 1) / differences.length;
}
