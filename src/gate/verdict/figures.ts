import type { Certification } from '../statistics/certification.js';
import { differenceInterval, meanOf } from '../statistics/interval.js';
import { lossesOf, isBetter, isWorse } from '../statistics/losses.js';
import { fixedProbability, taskProbability } from '../statistics/sequentialTest.js';
import { compareStrictly, lowerScores, type StrictPair } from '../statistics/strictRule.js';
import type { SideTally, TaskTally } from '../statistics/tally.js';
import type { GateFigures, GateMetric, SideResult, TaskComparison } from './verdict.js';

/** A certification with the names of its tasks, in the order of their indexes. */
export interface CertifiedTasks {
  readonly certification: Certification;
  readonly metric: GateMetric;
  readonly taskIds: readonly string[];
  /** True where somebody answered by hand, and every repeat of a prompt the same, letter for letter. */
  readonly copied?: boolean | undefined;
}

/** Scores of one selection, with the names of its tasks in the same order. */
export interface StrictTasks {
  readonly pairs: readonly StrictPair[];
  /** Further tasks that were not attempted because no score of theirs could change the answer. */
  readonly notNeeded?: number;
  readonly metric: GateMetric;
  readonly taskIds: readonly string[];
}

/** The numbers beneath a confident verdict. Means are means of task means: every task weighs the same. */
export function certificationFigures({ certification, metric, taskIds }: CertifiedTasks): GateFigures {
  const { settings, test, tallies } = certification;
  return {
    rule: 'confident',
    metric,
    ...describeTallies(tallies, settings.grid, taskIds),
    p: fixedProbability(test),
    pTask: taskProbability(test),
    alpha: settings.plan.alpha,
    passes: test.passes,
    invalid: lossesOf(tallies, test.passes).lost,
    warnings: [],
  };
}

/** The part of the figures that needs no test: also what a set too small to be tested can be described by. */
export function describeTallies(tallies: readonly TaskTally[], grid: number, taskIds: readonly string[]) {
  const paired = tallies.filter((tally) => tally.pairs > 0);
  const before = meanOf(paired.map((tally) => tally.pairedBefore / tally.pairs / grid));
  const after = meanOf(paired.map((tally) => tally.pairedAfter / tally.pairs / grid));
  const differences = paired.map((tally) => (tally.pairedAfter - tally.pairedBefore) / tally.pairs / grid);
  const pairs = paired.reduce((sum, tally) => sum + tally.pairs, 0);
  return {
    before,
    after,
    difference: meanOf(differences),
    interval: differenceInterval(differences, pairs),
    n: tallies.length,
    ...unpairedOf(tallies.length - paired.length),
    fixed: taskIds.filter((_, task) => holdsFor(tallies[task], isBetter)),
    regressed: taskIds.filter((_, task) => holdsFor(tallies[task], isWorse)),
  };
}

function unpairedOf(unpaired: number): Pick<GateFigures, 'unpaired'> {
  return unpaired === 0 ? {} : { unpaired };
}

/** The numbers beneath a strict verdict: one look, so no probability and no error rate stand behind it. */
export function strictFigures({ pairs, metric, taskIds, notNeeded = 0 }: StrictTasks): GateFigures {
  const comparison = compareStrictly(pairs);
  const lower = new Set(lowerScores(pairs));
  const higher = new Set(lowerScores(pairs.map(({ before, after }) => ({ before: after, after: before }))));
  const differences = pairs.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [after - before],
  );
  return {
    rule: 'strict',
    metric,
    before: comparison.before,
    after: comparison.after,
    difference: comparison.after - comparison.before,
    interval: differenceInterval(differences, differences.length),
    p: undefined,
    pTask: undefined,
    alpha: undefined,
    n: pairs.length + notNeeded,
    ...(notNeeded === 0 ? {} : { notNeeded }),
    ...unpairedOf(pairs.length - differences.length),
    passes: 1,
    invalid: comparison.lost,
    fixed: taskIds.filter((_, task) => higher.has(task)),
    regressed: taskIds.filter((_, task) => lower.has(task)),
    warnings: [],
  };
}

/** One row a task, for tree and report. */
export function taskComparisons({ certification, taskIds }: CertifiedTasks): readonly TaskComparison[] {
  const { grid } = certification.settings;
  return certification.tallies.map((tally, task) => ({
    id: taskIds[task] ?? String(task + 1),
    before: sideResult(tally.before, grid),
    after: sideResult(tally.after, grid),
  }));
}

function sideResult(side: SideTally, grid: number): SideResult {
  return {
    passes: side.full,
    valid: side.valid,
    invalid: side.invalid,
    score: side.valid === 0 ? undefined : side.sum / side.valid / grid,
  };
}

function holdsFor(tally: TaskTally | undefined, condition: (tally: TaskTally) => boolean): boolean {
  return tally !== undefined && condition(tally);
}
