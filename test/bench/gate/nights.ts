import { seeded } from '../../../src/gate/rules/random.js';
import { drawTasks } from '../../../src/gate/rules/simulatedTasks.js';
import {
  meetHeldOut,
  openErrorBudget,
  payCertification,
  wholeErrorBudget,
} from '../../../src/gate/statistics/errorBudget.js';
import { confidentGate } from './cells.js';

/** How often a skill that never gets better is told it did, over many certifications against one held-out set. */
export interface NightsResult {
  readonly runs: number;
  /** Share of the runs with any acceptance. */
  readonly anyAccepted: number;
  /** 0.05 plus what new tasks brought back, on average: what the error budget promises. */
  readonly promised: number;
  readonly certifications: number;
}

/** `nights` nights, each with a candidate that changes nothing, while the error budget pays for it. */
export function runNights(setting: {
  readonly runs: number;
  readonly n: number;
  readonly nights: number;
  readonly newTasksANight: number;
}): NightsResult {
  const { runs, n, nights, newTasksANight } = setting;
  const random = seeded(2, n, nights, newTasksANight);
  let accepted = 0;
  let refilled = 0;
  let certifications = 0;
  for (let run = 0; run < runs; run++) {
    const tasks = [...drawTasks(random, n, () => 0)];
    let budget = openErrorBudget(hashesOf(tasks.length));
    let anyAccepted = false;
    for (let night = 0; night < nights; night++) {
      if (night > 0) tasks.push(...drawTasks(random, newTasksANight, () => 0));
      budget = meetHeldOut(budget, hashesOf(tasks.length));
      const paid = payCertification(budget, `night ${night}`);
      if (paid === undefined) continue;
      budget = paid;
      // Nothing that happened before changes a later candidate: a run that was fooled once needs no more nights.
      anyAccepted ||= confidentGate(random, tasks).kind === 'accepted';
    }
    accepted += anyAccepted ? 1 : 0;
    certifications += budget.certifications.length;
    refilled += budget.refills.reduce((sum, refill) => sum + refill.amount, 0);
  }
  return {
    runs,
    anyAccepted: accepted / runs,
    promised: wholeErrorBudget + refilled / runs,
    certifications: certifications / runs,
  };
}

function hashesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, task) => `task ${task}`);
}
