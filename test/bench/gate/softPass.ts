import { beta, type Random } from '../../../src/gate/rules/random.js';
import type { SimulatedTask } from '../../../src/gate/rules/simulatedTasks.js';
import type { PairResult } from '../../../src/gate/statistics/tally.js';

/** Every task once under both skills, on the 1/100 grid: Beta noise around its mean, as wide as two effective trials. */
export function attemptSoftPass(random: Random, tasks: readonly SimulatedTask[]): readonly PairResult[] {
  return tasks.map(({ before, after }, task) => ({
    task,
    before: softScore(random, before),
    after: softScore(random, after),
  }));
}

/** How tightly a soft score gathers around its mean: a + b of the Beta noise. */
const softConcentration = 2;

function softScore(random: Random, mean: number): number {
  // Beta noise is undefined at exactly 0 and 1.
  const inside = Math.min(0.99, Math.max(0.01, mean));
  return Math.round(100 * beta(random, softConcentration * inside, softConcentration * (1 - inside)));
}
