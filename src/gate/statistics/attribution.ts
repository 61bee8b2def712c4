import type { Claim } from './certification.js';
import { meanOf, studentPoint } from './interval.js';
import { epsilon } from './walk.js';

/** One attempt at one training task under one variant. */
interface Observation {
  readonly task: number;
  /** For each factor whether the variant carried it. */
  readonly carried: readonly boolean[];
  readonly score: number;
}

/** What was measured so far. JSON: stored after every block. */
export interface Attribution {
  readonly factors: number;
  readonly tasks: number;
  readonly blocks: number;
  readonly observations: readonly Observation[];
}

/** What one factor is worth on these training tasks: mean with it minus mean without it. */
interface FactorEffect {
  readonly effect: number;
  /** 95 %, for the noise of the attempts; says nothing about other tasks. */
  readonly interval: readonly [number, number];
  readonly standardError: number;
}

/** A factor whose effect is further from zero than this many standard errors is clear enough to keep or drop. */
const clearBy = 1.5;

/** Three half fractions choose the right three of four edits in 99 of 100 simulated runs; a fourth adds cost only. */
const maxBlocks = 3;

/** Before the first block. */
export function startAttribution(start: { readonly factors: number; readonly tasks: number }): Attribution {
  return { ...start, blocks: 0, observations: [] };
}

/** The variants that the next block needs. */
export function nextBlock(attribution: Attribution): ReturnType<typeof planBlock> {
  return planBlock(attribution.factors, attribution.blocks + 1);
}

/** One complete block: `scores[variant][task]`, in the order of {@link nextBlock}, undefined where it was invalid. */
export function addBlock(attribution: Attribution, scores: readonly (readonly (number | undefined)[])[]): Attribution {
  const variants = nextBlock(attribution);
  if (scores.length !== variants.length || scores.some((row) => row.length !== attribution.tasks)) {
    throw new RangeError(`A block holds ${variants.length} variants of ${attribution.tasks} tasks.`);
  }
  const factors = Array.from({ length: attribution.factors }, (_, factor) => factor);
  const observed = variants.flatMap((variant, at) => {
    const carried = factors.map((factor) => variant.includes(factor));
    return (scores[at] ?? []).flatMap((score, task) => (score === undefined ? [] : [{ task, carried, score }]));
  });
  return {
    ...attribution,
    blocks: attribution.blocks + 1,
    observations: [...attribution.observations, ...observed],
  };
}

/** True once every factor is clear, or the last block is in. */
export function isAttributed(attribution: Attribution): boolean {
  if (attribution.blocks === 0) return false;
  if (attribution.blocks >= maxBlocks) return true;
  return effectsOf(attribution).every(
    ({ effect, standardError }) => Math.abs(effect) + epsilon >= clearBy * standardError,
  );
}

/**
 * The factors worth keeping. For a gain: those whose effect is above zero; a useless one stays by luck about every second
 * time. Where the skill only has to get shorter at no loss: all but those that clearly do harm.
 */
export function keptFactors(attribution: Attribution, claim: Claim = 'better'): readonly number[] {
  return effectsOf(attribution).flatMap(({ effect, standardError }, factor) => {
    const least = claim === 'better' ? epsilon : -clearBy * standardError - epsilon;
    return effect > least ? [factor] : [];
  });
}

/** One effect a factor. The noise is what remains after each task's own level and all effects are taken out. */
export function effectsOf(attribution: Attribution): readonly FactorEffect[] {
  const byTask = groupByTask(attribution);
  const effects = Array.from({ length: attribution.factors }, (_, factor) => effectOf(byTask, factor));
  const count = attribution.observations.length;
  const degrees = Math.max(1, count - byTask.length - attribution.factors);
  const variance = residualSquares(byTask, effects) / degrees;
  // Half of the attempts carry each factor: the variance of a difference of two means of count / 2 attempts.
  const standardError = Math.sqrt((4 * variance) / Math.max(1, count));
  const half = studentPoint(degrees) * standardError;
  return effects.map((effect) => ({
    effect,
    interval: [Math.max(-1, effect - half), Math.min(1, effect + half)],
    standardError,
  }));
}

function groupByTask(attribution: Attribution): readonly (readonly Observation[])[] {
  const groups = new Map<number, Observation[]>();
  for (const observation of attribution.observations) {
    const group = groups.get(observation.task);
    if (group === undefined) groups.set(observation.task, [observation]);
    else group.push(observation);
  }
  return [...groups.values()];
}

/** Compared within each task first, so that a lost attempt at a hard task favours nobody. */
function effectOf(byTask: readonly (readonly Observation[])[], factor: number): number {
  const differences = byTask.flatMap((observations) => {
    const carried = observations.filter((observation) => observation.carried[factor] === true);
    const others = observations.filter((observation) => observation.carried[factor] !== true);
    if (carried.length === 0 || others.length === 0) return [];
    return [meanOf(carried.map(scoreOf)) - meanOf(others.map(scoreOf))];
  });
  return meanOf(differences);
}

function residualSquares(byTask: readonly (readonly Observation[])[], effects: readonly number[]): number {
  let squares = 0;
  for (const observations of byTask) {
    const level = meanOf(observations.map((observation) => observation.score - expectedShift(observation, effects)));
    for (const observation of observations) {
      squares += (observation.score - level - expectedShift(observation, effects)) ** 2;
    }
  }
  return squares;
}

function expectedShift(observation: Observation, effects: readonly number[]): number {
  return effects.reduce((sum, effect, factor) => sum + (observation.carried[factor] === true ? effect : 0), 0);
}

function scoreOf(observation: Observation): number {
  return observation.score;
}

/** Which factors (edits, or groups of edits) a variant of the skill carries, by index. */
type Subset = readonly number[];

/** More factors need a design that was never measured; more edits are grouped to this many. */
const maxFactors = 4;

/**
 * The variants of block `block` (1, 2, ...), each to be attempted once on every task. Up to three factors: all subsets.
 * Four: the eight subsets of even size in odd blocks, of odd size in even blocks. Every factor is in exactly half.
 */
export function planBlock(factors: number, block: number): readonly Subset[] {
  if (!Number.isInteger(factors) || factors < 1 || factors > maxFactors) {
    throw new RangeError(`A block is planned for 1 to ${maxFactors} factors, not ${factors}.`);
  }
  const subsets = Array.from({ length: 2 ** factors }, (_, mask) => membersOf(mask, factors));
  if (factors < maxFactors) return subsets;
  const parity = block % 2 === 1 ? 0 : 1;
  return subsets.filter((subset) => subset.length % 2 === parity);
}

/** At most {@link maxFactors} groups of neighbouring edits, as even as they go. Up to that many: one edit a group. */
export function groupEdits<Edit>(edits: readonly Edit[]): readonly (readonly Edit[])[] {
  const groups = Math.min(maxFactors, edits.length);
  return Array.from({ length: groups }, (_, group) =>
    edits.slice(Math.floor((group * edits.length) / groups), Math.floor(((group + 1) * edits.length) / groups)),
  );
}

function membersOf(mask: number, factors: number): Subset {
  return Array.from({ length: factors }, (_, factor) => factor).filter((factor) => (mask & (2 ** factor)) !== 0);
}
