import { taskCounts } from './cells.js';

/** One bar, and whether what was measured holds it. */
export interface Finding {
  readonly bar: string;
  readonly measured: number;
  readonly relation: 'at most' | 'at least' | 'under';
  readonly limit: number;
  readonly holds: boolean;
}

/** How much is simulated. `lenient` allows four standard errors: a small sample may miss a bar that is held. */
export interface Scale {
  /** Numbers of held-out tasks. */
  readonly tasks: readonly number[];
  readonly gates: number;
  /** Runs of four certifications against one held-out set, and of thirty nights. */
  readonly families: number;
  readonly nights: number;
  readonly soft: number;
  readonly bundles: number;
  readonly parsimony: number;
  readonly lenient: boolean;
}

/** What the bench runs: at least 20,000 decisions a cell, and the bars to the letter. */
export const fullScale: Scale = {
  tasks: taskCounts,
  gates: 20_000,
  families: 20_000,
  nights: 8_000,
  soft: 4_000,
  bundles: 10_000,
  parsimony: 4_000,
  lenient: false,
};

/** One case of every proof, in about a second altogether. */
export const smallScale: Scale = {
  tasks: [8, 20],
  gates: 150,
  families: 40,
  nights: 40,
  soft: 25,
  bundles: 25,
  parsimony: 15,
  lenient: true,
};

/** A measured share of `runs`, or a mean number of passes over them. */
export interface Measured {
  readonly value: number;
  readonly runs: number;
  readonly unit: 'share' | 'passes';
}

export function hold(
  bar: string,
  measured: Measured,
  limit: readonly [Finding['relation'], number],
  scale: Scale,
): Finding {
  const [relation, bound] = limit;
  const slack = scale.lenient ? 4 * standardError(measured, bound) : 0;
  const { value } = measured;
  const within = {
    'at most': value <= bound + slack,
    'at least': value >= bound - slack,
    under: value < bound + slack,
  };
  return { bar, measured: value, relation, limit: bound, holds: within[relation] };
}

/** Passes lie between 1 and 8 (16 for a shorter skill) and spread by less than 3 in every cell. */
function standardError({ runs, unit }: Measured, bound: number): number {
  return unit === 'passes' ? 3 / Math.sqrt(runs) : Math.sqrt((bound * (1 - bound)) / runs);
}
