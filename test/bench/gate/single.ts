import { seeded } from '../../../src/gate/rules/random.js';
import { attemptPass, drawTasks } from '../../../src/gate/rules/simulatedTasks.js';
import { startCertification } from '../../../src/gate/statistics/certification.js';
import { parsimonyMargin, startParsimony } from '../../../src/gate/statistics/parsimony.js';
import { confidentGate, toTheEnd } from './cells.js';
import { attemptSoftPass } from './softPass.js';

/** Shares over `runs` certifications of one kind. */
export interface SingleResult {
  readonly runs: number;
  readonly accepted: number;
  readonly passes: number;
}

/**
 * Better on some tasks, worse on others, nothing on average: 50 points up or down. `coin`: each task by a fair coin, so
 * that a sample may hold more winners by luck; `exact`: as many up as down (the odd one unchanged).
 */
export function runHalfAndHalf(runs: number, n: number, how: 'coin' | 'exact'): SingleResult {
  const random = seeded(4, n, how === 'coin' ? 1 : 2);
  const coin = (): number => (random() < 0.5 ? 0.5 : -0.5);
  const exact = (task: number): number => (2 * task + 1 === n ? 0 : task < n / 2 ? 0.5 : -0.5);
  return repeat(runs, () => confidentGate(random, drawTasks(random, n, how === 'coin' ? coin : exact)));
}

/** Soft scores: Beta noise on the 1/100 grid. */
export function runSoft(runs: number, n: number, effect: number): SingleResult {
  const random = seeded(5, n, effect);
  return repeat(runs, () =>
    confidentGate(
      random,
      drawTasks(random, n, () => effect / 100),
      attemptSoftPass,
      100,
    ),
  );
}

/** With `noRegression`: an acceptance waits while any task is worse beyond its noise. */
export function runNoRegression(runs: number, n: number, effect: number): SingleResult {
  const random = seeded(7, n, effect);
  return repeat(runs, () => {
    const tasks = drawTasks(random, n, () => effect / 100);
    return toTheEnd(startCertification({ n, grid: 1, noRegression: true }), () => attemptPass(random, tasks));
  });
}

/** A shorter skill that is truly equal, or worse by exactly the margin on every task (rates from 0.1 up, so uncut). */
export function runParsimony(runs: number, n: number, truth: 'equal' | 'at-margin'): SingleResult {
  const random = seeded(6, n, truth === 'equal' ? 1 : 2);
  return repeat(runs, () => {
    const drawn = drawTasks(random, n, () => 0);
    const tasks =
      truth === 'equal'
        ? drawn
        : drawn.map(({ before }) => {
            const rate = parsimonyMargin + (1 - parsimonyMargin) * before;
            return { before: rate, after: rate - parsimonyMargin };
          });
    return toTheEnd(startParsimony({ n, grid: 1 }), () => attemptPass(random, tasks));
  });
}

function repeat(runs: number, gate: () => { readonly kind: string; readonly passes: number }): SingleResult {
  let accepted = 0;
  let passes = 0;
  for (let run = 0; run < runs; run++) {
    const outcome = gate();
    accepted += outcome.kind === 'accepted' ? 1 : 0;
    passes += outcome.passes;
  }
  return { runs, accepted: accepted / runs, passes: passes / runs };
}
