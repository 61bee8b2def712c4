import { addPass, startCertification, type Certification } from '../../../src/gate/statistics/certification.js';
import { selects } from '../../../src/gate/statistics/strictRule.js';
import type { PairResult } from '../../../src/gate/statistics/tally.js';
import { seeded, type Random } from '../../../src/gate/rules/random.js';
import { attemptPass, drawTasks, type SimulatedTask } from '../../../src/gate/rules/simulatedTasks.js';

/** One cell of the table: `gates` decisions on tasks whose rate moves by `effect` points. */
export interface Cell {
  readonly rule: 'strict' | 'confident';
  readonly n: number;
  /** In points: 20 makes every task pass twenty attempts in a hundred more often, as far as it can. */
  readonly effect: number;
  readonly gates: number;
  readonly accepted: number;
  readonly inconclusive: number;
  /** Mean over the gates; one pass is every task once under both skills. */
  readonly passes: number;
}

export const taskCounts = [5, 6, 8, 12, 20, 40] as const;
export const effects = [0, -10, -20, 20, 40] as const;

/** The whole table, or the part that is asked for. */
export function runCells(gates: number, part: readonly Pick<Cell, 'rule' | 'n' | 'effect'>[] = everyCell()): Cell[] {
  return part.map(({ rule, n, effect }) => {
    const random = seeded(1, n, effect);
    const tallied = { accepted: 0, inconclusive: 0, passes: 0 };
    for (let gate = 0; gate < gates; gate++) {
      const tasks = drawTasks(random, n, () => effect / 100);
      const outcome = rule === 'strict' ? strictGate(random, tasks) : confidentGate(random, tasks);
      if (outcome.kind === 'accepted') tallied.accepted += 1;
      if (outcome.kind === 'inconclusive') tallied.inconclusive += 1;
      tallied.passes += outcome.passes;
    }
    return { rule, n, effect, gates, ...tallied, passes: tallied.passes / gates };
  });
}

export function everyCell(): readonly Pick<Cell, 'rule' | 'n' | 'effect'>[] {
  return (['strict', 'confident'] as const).flatMap((rule) =>
    taskCounts.flatMap((n) => effects.map((effect) => ({ rule, n, effect }))),
  );
}

export interface GateOutcome {
  readonly kind: 'accepted' | 'rejected' | 'inconclusive';
  readonly passes: number;
}

/** One certification to its end, on fresh attempts. */
export function confidentGate(
  random: Random,
  tasks: readonly SimulatedTask[],
  attempt: typeof attemptPass = attemptPass,
  grid: 1 | 100 = 1,
): GateOutcome {
  return toTheEnd(startCertification({ n: tasks.length, grid }), () => attempt(random, tasks));
}

/** Any certification to its end. */
export function toTheEnd(begun: Certification, nextPass: () => readonly PairResult[]): GateOutcome {
  let certification = begun;
  while (certification.decision.kind === 'continue') certification = addPass(certification, nextPass());
  const { kind } = certification.decision;
  return { kind: kind === 'void' ? 'inconclusive' : kind, passes: certification.test.passes };
}

/** The paper's gate: one sample a side, the mean strictly higher. */
export function strictGate(random: Random, tasks: readonly SimulatedTask[]): GateOutcome {
  const pairs = attemptPass(random, tasks).map(({ before, after }) => ({
    before: before === 'invalid' ? undefined : before,
    after: after === 'invalid' ? undefined : after,
  }));
  return { kind: selects(pairs) ? 'accepted' : 'rejected', passes: 1 };
}
