import { addPass, startCertification } from '../../../src/gate/statistics/certification.js';
import { certificationFigures } from '../../../src/gate/verdict/figures.js';
import { meanOf } from '../../../src/gate/statistics/interval.js';
import { attemptPass, drawTasks } from '../../../src/gate/rules/simulatedTasks.js';
import { seeded } from '../../../src/gate/rules/random.js';

/** What the figures of a certification, taken when it ends, say about the truth. */
export interface RosyResult {
  /** Share of intervals that contain the true mean difference. */
  readonly covered: number;
  /** Mean difference that accepted certifications show. */
  readonly shown: number;
  /** The true mean difference on the tasks of those certifications. */
  readonly truth: number;
}

/** `runs` certifications of one effect (in points, cut off at 0 and 1). */
export function runRosy(runs: number, n: number, effect: number): RosyResult {
  const random = seeded(8, n, effect);
  const population = meanGain(drawTasks(seeded(9, effect), 100_000, () => effect / 100));
  let covered = 0;
  const accepted: { shown: number; truth: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const tasks = drawTasks(random, n, () => effect / 100);
    let certification = startCertification({ n, grid: 1 });
    while (certification.decision.kind === 'continue') {
      certification = addPass(certification, attemptPass(random, tasks));
    }
    const figures = certificationFigures({ certification, metric: 'hard', taskIds: [] });
    const [low, high] = figures.interval ?? [0, 0];
    covered += low <= population && population <= high ? 1 : 0;
    if (certification.decision.kind === 'accepted') {
      accepted.push({ shown: figures.difference, truth: meanGain(tasks) });
    }
  }
  return {
    covered: covered / runs,
    shown: meanOf(accepted.map(({ shown }) => shown)),
    truth: meanOf(accepted.map(({ truth }) => truth)),
  };
}

function meanGain(tasks: ReturnType<typeof drawTasks>): number {
  return tasks.reduce((sum, { before, after }) => sum + after - before, 0) / tasks.length;
}
