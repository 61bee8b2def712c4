import {
  addBlock,
  isAttributed,
  keptFactors,
  nextBlock,
  startAttribution,
} from '../../../src/gate/statistics/attribution.js';
import { confidentGate, strictGate } from './cells.js';
import { baseRate, clip } from './model.js';
import { beta, seeded, type Random } from './random.js';

/** A bundle of edits: which are chosen on training tasks, and whether the chosen ones are certified on held-out ones. */
export interface BundleResult {
  readonly runs: number;
  /** Exactly the good edits chosen. */
  readonly rightChosen: number;
  /** Exactly the good edits chosen, and certified. */
  readonly rightCertified: number;
  /** Anything certified at all. */
  readonly certified: number;
  /** Attribution and certification together; one pass is two attempts a task. */
  readonly passes: number;
  /** The whole bundle through the strict gate: every edit shipped, the bad one too. */
  readonly strictAccepted: number;
}

export function runBundles(setting: {
  readonly runs: number;
  readonly n: number;
  readonly effects: readonly number[];
}): BundleResult {
  const { runs, n, effects } = setting;
  const random = seeded(3, n, ...effects.map((effect) => Math.round(1000 * effect)));
  const outcomes = Array.from({ length: runs }, () => runBundle(random, n, effects));
  const share = (holds: (outcome: BundleOutcome) => boolean): number => outcomes.filter(holds).length / runs;
  return {
    runs,
    rightChosen: share((outcome) => outcome.right),
    rightCertified: share((outcome) => outcome.right && outcome.certified),
    certified: share((outcome) => outcome.certified),
    passes: outcomes.reduce((sum, outcome) => sum + outcome.passes, 0) / runs,
    strictAccepted: share((outcome) => outcome.strict),
  };
}

interface BundleOutcome {
  readonly right: boolean;
  readonly certified: boolean;
  readonly strict: boolean;
  readonly passes: number;
}

function runBundle(random: Random, n: number, effects: readonly number[]): BundleOutcome {
  const good = effects.flatMap((effect, factor) => (effect > 0 ? [factor] : []));
  const { kept, passes } = choose(random, drawRates(random, n), effects);
  const heldOut = drawRates(random, n);
  const gate = kept.length === 0 ? undefined : confidentGate(random, variantOf(heldOut, effects, kept));
  const whole = variantOf(heldOut, effects, [...effects.keys()]);
  return {
    right: kept.join() === good.join(),
    certified: gate?.kind === 'accepted',
    strict: strictGate(random, whole).kind === 'accepted',
    passes: passes + (gate?.passes ?? 0),
  };
}

function choose(random: Random, rates: readonly number[], effects: readonly number[]) {
  let attribution = startAttribution({ factors: effects.length, tasks: rates.length });
  let passes = 0;
  while (!isAttributed(attribution)) {
    const variants = nextBlock(attribution);
    const scores = variants.map((kept) =>
      variantOf(rates, effects, kept).map((task) => (random() < task.after ? 1 : 0)),
    );
    attribution = addBlock(attribution, scores);
    passes += variants.length / 2;
  }
  return { kept: keptFactors(attribution), passes };
}

function drawRates(random: Random, n: number): readonly number[] {
  return Array.from({ length: n }, () => beta(random, baseRate.a, baseRate.b));
}

function variantOf(rates: readonly number[], effects: readonly number[], kept: readonly number[]) {
  const shift = kept.reduce((sum, factor) => sum + (effects[factor] ?? 0), 0);
  return rates.map((rate) => ({ before: rate, after: clip(rate + shift) }));
}
