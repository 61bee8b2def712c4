import { epsilon, extendWalk, signFlipProbability, startOfWalk, upperTail, type WalkLaw } from './walk.js';

/** The constants of one test. They travel with its state: a test that was begun is ended by the same ones. */
export interface SequentialPlan {
  /** The error that all looks together may spend. */
  readonly alpha: number;
  readonly maxPasses: number;
  /** After pass j the test is given up when the fixed probability lies above entry j - 1. */
  readonly futility: readonly number[];
  /** How small the sign-flip probability over whole tasks must be. */
  readonly taskLimit: number;
}

/** What the test knows after its complete passes. JSON: stored after every pass, resumed without replaying. */
export interface SequentialState {
  readonly passes: number;
  /** Law of the walks that have not crossed the boundary at any look so far. */
  readonly alive: WalkLaw;
  /** Law of all walks, as if there had been one look. */
  readonly all: WalkLaw;
  /** Sum of the positive differences. */
  readonly won: number;
  /** Error spent by the boundary so far. */
  readonly spent: number;
  /** True from the pass on at which the boundary was reached; never recomputed from pooled data. */
  readonly crossed: boolean;
  /** Sum of the differences of each task. */
  readonly byTask: readonly number[];
}

/** Before the first pass over `tasks` tasks. */
export function startSequentialTest(tasks: number): SequentialState {
  return {
    passes: 0,
    alive: startOfWalk,
    all: startOfWalk,
    won: 0,
    spent: 0,
    crossed: false,
    byTask: Array.from({ length: tasks }, () => 0),
  };
}

/**
 * One complete pass: the integer difference of every task, 0 where it tied or its pair was lost. The error budget is
 * spent linearly over the passes; the boundary is the lowest sum whose whole upper tail still fits into it.
 */
export function stepSequentialTest(
  plan: SequentialPlan,
  state: SequentialState,
  differences: readonly number[],
): SequentialState {
  const magnitudes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const passes = state.passes + 1;
  const won = differences.reduce((sum, difference) => sum + Math.max(0, difference), state.won);
  const look = cutUpperTail(extendWalk(state.alive, magnitudes), state.spent, (plan.alpha * passes) / plan.maxPasses);
  return {
    passes,
    alive: look.alive,
    all: extendWalk(state.all, magnitudes),
    won,
    spent: look.spent,
    crossed: state.crossed || won >= look.boundary,
    byTask: state.byTask.map((sum, task) => sum + (differences[task] ?? 0)),
  };
}

/** The chance of winning at least this much by luck at one single look; not corrected for the looks before. */
export function fixedProbability(state: SequentialState): number {
  return upperTail(state.all, state.won);
}

/** The chance that flipping whole tasks gives at least this total: does it hold across tasks? */
export function taskProbability(state: SequentialState): number {
  return signFlipProbability(state.byTask);
}

/** Both questions answered: beyond the noise of the attempts, and spread over the tasks. */
export function isShown(plan: SequentialPlan, state: SequentialState): boolean {
  if (!state.crossed || total(state) <= 0) return false;
  return taskProbability(state) <= plan.taskLimit + epsilon;
}

/** No better than luck by now: going on would most likely waste the calls. */
export function isFutile(plan: SequentialPlan, state: SequentialState): boolean {
  const limit = plan.futility[state.passes - 1];
  return limit !== undefined && fixedProbability(state) > limit + epsilon;
}

function total(state: SequentialState): number {
  return state.byTask.reduce((sum, difference) => sum + difference, 0);
}

function cutUpperTail(
  law: WalkLaw,
  spent: number,
  budget: number,
): { readonly alive: WalkLaw; readonly spent: number; readonly boundary: number } {
  let boundary = law.length;
  let tail = 0;
  while (boundary > 0 && spent + tail + (law[boundary - 1] ?? 0) <= budget + epsilon) {
    boundary -= 1;
    tail += law[boundary] ?? 0;
  }
  return { alive: law.slice(0, boundary), spent: spent + tail, boundary };
}
