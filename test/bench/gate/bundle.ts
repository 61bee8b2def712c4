import {
  addBlock,
  isAttributed,
  isBundleBetter,
  keptFactors,
  nextBlock,
  nextTasks,
  startAttribution,
  untried,
} from '../../../src/gate/statistics/attribution.js';
import { planBlocks, tellingOrder } from '../../../src/gate/statistics/attributionPlan.js';
import { confidentGate, strictGate } from './cells.js';
import { baseRate, clip } from '../../../src/gate/rules/simulatedTasks.js';
import { beta, seeded, type Random } from '../../../src/gate/rules/random.js';

/** A bundle of edits: which are chosen on training tasks, and whether the chosen ones are certified on held-out ones. */
export interface BundleResult {
  readonly runs: number;
  /** Exactly the good edits chosen. */
  readonly rightChosen: number;
  /** Exactly the good edits chosen, and certified. */
  readonly rightCertified: number;
  /** Anything certified at all. */
  readonly certified: number;
  /** A harmful edit kept, and certified with the others. */
  readonly harmfulCertified: number;
  /** What is certified is truly worth, over all runs; nothing where nothing is. */
  readonly gain: number;
  /** Attempts at training tasks, on average and at most: the attribution and its comparison with the bundle. */
  readonly calls: number;
  readonly mostMade: number;
  /** Attribution and certification together; one pass is two attempts a task. */
  readonly passes: number;
  /** The whole bundle through the strict gate: every edit shipped, the bad one too. */
  readonly strictAccepted: number;
}

export function runBundles(setting: {
  readonly runs: number;
  readonly n: number;
  readonly effects: readonly number[];
  /** The most attempts that attribution may make; undefined: no bound. */
  readonly mostCalls?: number;
  /** What these edits are worth together; by default the sum of what each is. */
  readonly worth?: (kept: readonly number[]) => number;
  /** The chance to pass of every task without an edit; by default drawn as in every other bar. */
  readonly rate?: number;
}): BundleResult {
  const { runs, n, effects } = setting;
  const random = seeded(3, n, ...effects.map((effect) => Math.round(1000 * effect)));
  const outcomes = Array.from({ length: runs }, () => runBundle(random, setting));
  const share = (holds: (outcome: BundleOutcome) => boolean): number => outcomes.filter(holds).length / runs;
  return {
    runs,
    rightChosen: share((outcome) => outcome.right),
    rightCertified: share((outcome) => outcome.right && outcome.certified),
    certified: share((outcome) => outcome.certified),
    harmfulCertified: share((outcome) => outcome.harmful && outcome.certified),
    gain: outcomes.reduce((sum, outcome) => sum + (outcome.certified ? outcome.gain : 0), 0) / runs,
    calls: outcomes.reduce((sum, outcome) => sum + outcome.calls, 0) / runs,
    mostMade: Math.max(...outcomes.map((outcome) => outcome.calls)),
    passes: outcomes.reduce((sum, outcome) => sum + outcome.passes, 0) / runs,
    strictAccepted: share((outcome) => outcome.strict),
  };
}

interface BundleOutcome {
  readonly right: boolean;
  readonly harmful: boolean;
  readonly certified: boolean;
  readonly strict: boolean;
  readonly gain: number;
  readonly calls: number;
  readonly passes: number;
}

type Setting = Parameters<typeof runBundles>[0];

function runBundle(random: Random, setting: Setting): BundleOutcome {
  const { effects } = setting;
  const good = effects.flatMap((effect, factor) => (effect > 0 ? [factor] : []));
  const { kept, calls } = choose(random, drawRates(random, setting), setting);
  const heldOut = drawRates(random, setting);
  const certified = variantOf(heldOut, setting, kept);
  const gate = confidentGate(random, certified);
  const whole = variantOf(heldOut, setting, [...effects.keys()]);
  return {
    right: kept.join() === good.join(),
    harmful: kept.some((factor) => (effects[factor] ?? 0) < 0),
    certified: gate.kind === 'accepted',
    strict: strictGate(random, whole).kind === 'accepted',
    gain: certified.reduce((sum, { before, after }) => sum + after - before, 0) / setting.n,
    calls,
    passes: calls / (2 * setting.n) + gate.passes,
  };
}

/** As a run does it: blocks on training tasks, then what is kept against the bundle; nothing kept is the bundle. */
function choose(random: Random, rates: readonly number[], setting: Setting) {
  const { effects, mostCalls } = setting;
  const tasks = mostCalls === undefined ? rates : mostTelling(random, rates);
  const attempt = (task: number, variant: readonly number[]): number =>
    random() < (variantOf([tasks[task] ?? 0], setting, variant)[0]?.after ?? 0) ? 1 : 0;
  const plan = planBlocks({ factors: effects.length, costs: tasks.map(() => 1), mostCalls });
  let attribution = startAttribution({ factors: effects.length, tasks: tasks.length, plan });
  let calls = 0;
  while (!isAttributed(attribution)) {
    const [variants, block] = [nextBlock(attribution), nextTasks(attribution)];
    const scores = variants.map((variant) => block.map((task) => attempt(task, variant)));
    attribution = addBlock(attribution, scores);
    calls += variants.length * block.length;
  }
  const kept = keptFactors(attribution);
  const bundle = [...effects.keys()];
  if (kept.length === 0 || kept.length === bundle.length) return { kept: bundle, calls };
  const room = { costs: tasks.map(() => 1), mostCalls: mostCalls === undefined ? undefined : mostCalls - calls };
  const more = untried(attribution, kept, room).map((each) => ({ ...each, score: attempt(each.task, each.variant) }));
  return { kept: isBundleBetter(attribution, kept, more) ? bundle : kept, calls: calls + more.length };
}

/** What a run saw of its training tasks: two steps without an accepted edit. */
function mostTelling(random: Random, rates: readonly number[]): readonly number[] {
  const seen = rates.map((rate) => [random(), random()].map((draw) => (draw < rate ? 1 : 0)));
  return tellingOrder({ seen, taught: [] }).flatMap((task) => rates[task] ?? []);
}

function drawRates(random: Random, { n, rate }: Setting): readonly number[] {
  return Array.from({ length: n }, () => rate ?? beta(random, baseRate.a, baseRate.b));
}

function variantOf(rates: readonly number[], { effects, worth }: Setting, kept: readonly number[]) {
  const shift = worth?.(kept) ?? kept.reduce((sum, factor) => sum + (effects[factor] ?? 0), 0);
  return rates.map((rate) => ({ before: rate, after: clip(rate + shift) }));
}
