import { judgeLosses, lossesOf, isWorse } from './losses.js';
import type { ScoreGrid } from './scores.js';
import {
  isFutile,
  isShown,
  startSequentialTest,
  stepSequentialTest,
  type SequentialPlan,
  type SequentialState,
} from './sequentialTest.js';
import { addToTally, differenceOf, emptyTally, type PairResult, type TaskTally } from './tally.js';
import { coinProbability, epsilon } from './walk.js';

/** Below this the smallest possible task probability is 1/16: nothing could ever be shown. */
export const minimumHeldOutTasks = 5;

/** From here on the task condition is strict enough to speak of tasks like these, not only of these. */
export const tasksToGeneralise = 12;

/** One certification: a quarter of the error budget, so that four against one held-out set stay at 5 %. */
export const certificationAlpha = 0.0125;

/** What is claimed: a gain, or (for a shorter skill) no loss beyond the margin. */
export type Claim = 'better' | 'not-worse';

/** `continue` asks for another complete pass; everything else is final. */
export type CertificationDecision =
  | { readonly kind: 'continue' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly cause: 'futile' | 'not-shown' | 'regression' }
  | { readonly kind: 'void'; readonly cause: 'too-many-lost' | 'loss-differs-by-side' };

/** What is fixed before the first pass and may not change until the end. */
export interface CertificationSettings {
  readonly claim: Claim;
  readonly plan: SequentialPlan;
  readonly grid: ScoreGrid;
  /** The test sees `scale x difference + shift`: 1 and 0 for a gain, the margin in whole steps otherwise. */
  readonly scale: number;
  readonly shift: number;
  /** An acceptance waits while any task is worse beyond its noise. */
  readonly noRegression: boolean;
}

/** JSON through and through: store it after every pass, read it back, go on. */
export interface Certification {
  readonly settings: CertificationSettings;
  readonly test: SequentialState;
  readonly tallies: readonly TaskTally[];
  readonly decision: CertificationDecision;
}

/** The strictest futility that still finds nine in ten gains of +40 with eight tasks. */
const futility = [0.75, 0.5, 0.35, 0.25, 0.2, 0.15, 0.1];

/** More passes add little power to what eight find, and much cost where there is nothing to find. */
const maxPasses = 8;

/** A task condition of 0.0125 is out of reach for few tasks (1/32 for five); 0.05 is weak, and is said so. */
function taskLimitFor(tasks: number): number {
  return tasks < tasksToGeneralise ? 0.05 : 0.0125;
}

const mostTasksNeeded = 60;

/**
 * With how many held-out tasks a gain would hold across tasks where the same shares of them got better and worse, each as
 * much as the other; undefined where no sensible number is enough.
 */
export function tasksToShow(moved: { readonly n: number; readonly better: number; readonly worse: number }) {
  for (let n = moved.n + 1; n <= mostTasksNeeded; n++) {
    const better = Math.floor((moved.better * n) / moved.n);
    const worse = Math.ceil((moved.worse * n) / moved.n);
    if (better > worse && coinProbability(better, better + worse) <= taskLimitFor(n) + epsilon) return n;
  }
  return undefined;
}

/** A certification of a gain, before any call is spent. Throws below {@link minimumHeldOutTasks}. */
export function startCertification(start: {
  readonly n: number;
  readonly grid: ScoreGrid;
  readonly alpha?: number;
  readonly noRegression?: boolean;
}): Certification {
  const plan = { alpha: start.alpha ?? certificationAlpha, maxPasses, futility, taskLimit: taskLimitFor(start.n) };
  return begin(start.n, {
    claim: 'better',
    plan,
    grid: start.grid,
    scale: 1,
    shift: 0,
    noRegression: start.noRegression ?? false,
  });
}

/** The common beginning of every claim. */
export function begin(n: number, settings: CertificationSettings): Certification {
  if (!Number.isInteger(n) || n < minimumHeldOutTasks) {
    throw new RangeError(`A certification needs at least ${minimumHeldOutTasks} tasks, not ${n}.`);
  }
  return {
    settings,
    test: startSequentialTest(n),
    tallies: Array.from({ length: n }, () => emptyTally),
    decision: { kind: 'continue' },
  };
}

/**
 * The certification after one complete pass: every task exactly once, in any order. Throws on anything else and on a
 * certification that has ended: which tasks are attempted, and how often, may not depend on who is winning.
 */
export function addPass(certification: Certification, pass: readonly PairResult[]): Certification {
  if (certification.decision.kind !== 'continue') throw new Error('This certification has ended.');
  const { settings } = certification;
  const pairs = inTaskOrder(pass, certification.tallies.length, settings.grid);
  const differences = pairs.map((pair) => {
    const difference = differenceOf(pair);
    return difference === undefined ? 0 : settings.scale * difference + settings.shift;
  });
  const test = stepSequentialTest(settings.plan, certification.test, differences);
  const tallies = certification.tallies.map((tally, task) => {
    const pair = pairs[task];
    return pair === undefined ? tally : addToTally(tally, pair, settings.grid);
  });
  return { settings, test, tallies, decision: decide({ settings, test, tallies }) };
}

/** True where two passes or more never gave one task two different scores: repeats that look like copies. */
export function neverVaries(certification: Certification): boolean {
  if (certification.test.passes < 2) return false;
  return certification.tallies.every((tally) => !tally.before.varies && !tally.after.varies);
}

/** The tasks, by index, that hold an acceptance back under `noRegression`. */
export function worseTasks(certification: Pick<Certification, 'tallies'>): readonly number[] {
  return certification.tallies.flatMap((tally, task) => (isWorse(tally) ? [task] : []));
}

function decide(certification: Omit<Certification, 'decision'>): CertificationDecision {
  const { settings, test, tallies } = certification;
  const possiblePairs = tallies.length * settings.plan.maxPasses;
  const losses = judgeLosses(lossesOf(tallies, test.passes), possiblePairs);
  switch (losses) {
    case 'loss-differs-by-side':
    case 'too-many-lost':
      return { kind: 'void', cause: losses };
    case 'waiting':
      return { kind: 'continue' };
    case 'fair':
      return decideOnEvidence(certification);
  }
}

function decideOnEvidence(certification: Omit<Certification, 'decision'>): CertificationDecision {
  const { settings, test } = certification;
  const shown = isShown(settings.plan, test);
  const vetoed = shown && settings.noRegression && worseTasks(certification).length > 0;
  if (shown && !vetoed) return { kind: 'accepted' };
  if (test.passes >= settings.plan.maxPasses) {
    return { kind: 'rejected', cause: vetoed ? 'regression' : 'not-shown' };
  }
  return isFutile(settings.plan, test) ? { kind: 'rejected', cause: 'futile' } : { kind: 'continue' };
}

function inTaskOrder(pass: readonly PairResult[], tasks: number, grid: ScoreGrid): readonly PairResult[] {
  if (pass.length !== tasks) throw new RangeError(`A pass holds each of the ${tasks} tasks once, not ${pass.length}.`);
  const ordered: (PairResult | undefined)[] = pass.map(() => undefined);
  for (const pair of pass) {
    if (!(pair.task in ordered)) throw new RangeError(`There is no task ${pair.task}.`);
    if (ordered[pair.task] !== undefined) throw new RangeError(`Task ${pair.task} occurs twice in one pass.`);
    if (!isOnGrid(pair.before, grid) || !isOnGrid(pair.after, grid)) {
      throw new RangeError(`A score of task ${pair.task} is not a whole number from 0 to ${grid}.`);
    }
    ordered[pair.task] = pair;
  }
  return ordered.filter((pair) => pair !== undefined);
}

function isOnGrid(score: PairResult['before'], grid: ScoreGrid): boolean {
  return score === 'invalid' || (Number.isInteger(score) && score >= 0 && score <= grid);
}
