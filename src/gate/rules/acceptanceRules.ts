import { addPass, minimumHeldOutTasks, startCertification } from '../statistics/certification.js';
import { meanOf } from '../statistics/interval.js';
import type { ScoreGrid } from '../statistics/scores.js';
import type { PairResult } from '../statistics/tally.js';
import { coinProbability, epsilon } from '../statistics/walk.js';

/** A rule by which somebody takes an edit or leaves it, as its public description says. */
export interface AcceptanceRule {
  readonly id: string;
  readonly name: string;
  /** The question that its answer is an answer to. */
  readonly asks: string;
  /** The same where tasks are too few to speak of others; missing where they change nothing. */
  readonly asksOfFew?: string;
  /** False where that is another question than ours: “is it better, and not by luck, on tasks like these?” */
  readonly asksAsWeDo: boolean;
  readonly source: { readonly name: string; readonly url: string };
  readonly decide: (next: NextPass, grid: ScoreGrid) => RuleDecision;
}

/** The next complete pass: every task once under both texts. Undefined where there are no more. */
export type NextPass = () => readonly PairResult[] | undefined;

/** `open`: the rule wants more attempts than there are, or refuses to decide. Attempts of both sides together. */
export interface RuleDecision {
  readonly kind: 'accepted' | 'rejected' | 'open';
  readonly attempts: number;
}

/** The gate itself: nothing of it is written again here. */
export const ourRule: AcceptanceRule = {
  id: 'whetstone',
  name: 'Whetstone, up to 8 attempts',
  asks: 'better on tasks like these, at 1.25 % for luck?',
  asksOfFew: 'better on these tasks, at 1.25 % for luck? (below 12 tasks: shown on these only)',
  asksAsWeDo: true,
  source: { name: 'The gate', url: 'gate.md' },
  decide: (next, grid) => {
    const first = next();
    const n = first?.length ?? 0;
    if (n < minimumHeldOutTasks) return { kind: 'open', attempts: 0 };
    let certification = startCertification({ n, grid });
    for (let pass = first; pass !== undefined && certification.decision.kind === 'continue';) {
      certification = addPass(certification, pass);
      if (certification.decision.kind === 'continue') pass = next();
    }
    const { kind } = certification.decision;
    const attempts = 2 * n * certification.test.passes;
    return { kind: kind === 'accepted' || kind === 'rejected' ? kind : 'open', attempts };
  },
};

const skillOpt = {
  name: 'microsoft/SkillOpt, gate.py',
  url: 'https://github.com/microsoft/SkillOpt/blob/main/skillopt/evaluation/gate.py',
};
const capEvolve = {
  name: 'skillberry-ai/cap-evolve, issue 351',
  url: 'https://github.com/skillberry-ai/cap-evolve/issues/351',
};
const mcNemar = {
  name: 'hermes-agent-evolution, pull request 1565',
  url: 'https://github.com/Lexus2016/hermes-agent-evolution/pull/1565',
};
const higher = 'was the mean higher this time?';

/** Published rules, each from its description, and ours at the end. How to add one is in CONTRIBUTING.md. */
export const acceptanceRules: readonly AcceptanceRule[] = [
  {
    id: 'higher-1',
    name: 'strictly higher, 1 attempt',
    asks: higher,
    asksAsWeDo: false,
    source: skillOpt,
    decide: onPasses(1, (tasks) => total(tasks) > sameSum),
  },
  {
    id: 'higher-5',
    name: 'strictly higher, 5 attempts',
    asks: higher,
    asksAsWeDo: false,
    source: skillOpt,
    decide: onPasses(5, (tasks) => total(tasks) > sameSum),
  },
  {
    id: 'median-epsilon',
    name: 'median of 3, 5 points higher',
    asks: 'was the mean of medians higher by 5 points this time?',
    asksAsWeDo: false,
    source: {
      name: 'garrytan/gbrain, skillopt.md',
      url: 'https://github.com/garrytan/gbrain/blob/master/docs/guides/skillopt.md',
    },
    decide: onPasses(3, (tasks) => {
      const gains = tasks.map(({ before, after }) => median(after) - median(before));
      return meanOf(gains) > 0.05 + sameSum;
    }),
  },
  {
    id: 'standard-error-1',
    name: '1 standard error, 5 attempts',
    asks: 'better on tasks like these, at about 17 % for luck?',
    asksAsWeDo: true,
    source: capEvolve,
    decide: onPasses(5, (tasks) => isHigherBy(1, tasks)),
  },
  {
    id: 'standard-error-2',
    name: '2 standard errors, 5 attempts',
    asks: 'better on tasks like these, at about 4 % for luck?',
    asksAsWeDo: true,
    source: capEvolve,
    decide: onPasses(5, (tasks) => isHigherBy(2, tasks)),
  },
  {
    id: 'sign-test',
    name: 'exact sign test, 5 attempts',
    asks: 'better on more tasks than worse, at 5 % for luck?',
    asksAsWeDo: true,
    source: { name: 'dotnet/skills, pull request 965', url: 'https://github.com/dotnet/skills/pull/965' },
    decide: onPasses(5, (tasks) => {
      const moved = tasks.map(gainOf).filter((gain) => Math.abs(gain) > sameSum);
      const better = moved.filter((gain) => gain > 0).length;
      return coinProbability(better, moved.length) <= 0.05 + epsilon;
    }),
  },
  {
    id: 'mcnemar-1',
    name: 'McNemar’s test, 1 attempt',
    asks: 'better on more tasks than worse, at 5 % for luck?',
    asksAsWeDo: true,
    source: mcNemar,
    decide: onPasses(1, mcNemarAccepts),
  },
  {
    id: 'mcnemar-5',
    name: 'McNemar’s test, 5 attempts pooled',
    asks: 'do these attempts differ, at 5 % for luck? (says nothing about other tasks)',
    asksAsWeDo: false,
    source: mcNemar,
    decide: onPasses(5, mcNemarAccepts),
  },
  {
    id: 'bootstrap',
    name: 'bootstrap interval, 5 attempts',
    asks: 'how large is the difference? (its 95 % interval lies above zero)',
    asksAsWeDo: false,
    source: {
      name: 'EleutherAI/lm-evaluation-harness, pull request 3835',
      url: 'https://github.com/EleutherAI/lm-evaluation-harness/pull/3835',
    },
    decide: onPasses(5, bootstrapAccepts),
  },
  {
    id: 'betting',
    name: 'betting (PACE), up to 8 attempts',
    asks: 'do these attempts differ, at 5 % for luck? (says nothing about other tasks)',
    asksAsWeDo: false,
    source: { name: 'PACE, arXiv:2606.08106', url: 'https://arxiv.org/abs/2606.08106' },
    decide: (next) => bet(next, { alpha: 0.05, stake: 0.5, passes: 8 }),
  },
  ourRule,
];

/** The complete pairs of one task, on the scale from 0 to 1. */
interface TaskPairs {
  readonly before: number[];
  readonly after: number[];
}

/** Sums of scores that differ by less are equal: a tie must not depend on the order of additions. */
const sameSum = 1e-9;

/** A rule that wants a fixed number of passes and then looks once. A pair that lacks a score is left out. */
function onPasses(passes: number, accepts: (tasks: readonly TaskPairs[]) => boolean): AcceptanceRule['decide'] {
  return (next, grid) => {
    let tasks: readonly TaskPairs[] = [];
    let attempts = 0;
    for (let pass = 0; pass < passes; pass++) {
      const pairs = next();
      if (pairs === undefined) return { kind: 'open', attempts };
      if (pass === 0) tasks = pairs.map(() => ({ before: [], after: [] }));
      for (const { task, before, after } of pairs) {
        if (before === 'invalid' || after === 'invalid') continue;
        tasks[task]?.before.push(before / grid);
        tasks[task]?.after.push(after / grid);
      }
      attempts += 2 * pairs.length;
    }
    return { kind: accepts(tasks.filter(({ before }) => before.length > 0)) ? 'accepted' : 'rejected', attempts };
  };
}

function gainOf({ before, after }: TaskPairs): number {
  return meanOf(after) - meanOf(before);
}

function total(tasks: readonly TaskPairs[]): number {
  return tasks.reduce((sum, task) => sum + gainOf(task), 0);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** The mean gain over tasks lies so many of its own standard errors above zero; equal is not above. */
function isHigherBy(errors: number, tasks: readonly TaskPairs[]): boolean {
  const gains = tasks.map(gainOf);
  const mean = meanOf(gains);
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  return mean > errors * Math.sqrt(squares / (gains.length - 1) / gains.length) + sameSum;
}

/** Two-sided on the pairs that differ, and more of them for the better. */
function mcNemarAccepts(tasks: readonly TaskPairs[]): boolean {
  let better = 0;
  let worse = 0;
  for (const { before, after } of tasks) {
    for (const [at, score] of after.entries()) {
      if (score > (before[at] ?? 0)) better += 1;
      else if (score < (before[at] ?? 0)) worse += 1;
    }
  }
  return better > worse && 2 * coinProbability(better, better + worse) < 0.05;
}

/**
 * Tasks drawn anew with replacement: at most 2.5 % of all such samples have no gain. No sample is drawn: the law of their
 * sum is folded task by task, exactly for pass or fail, in twentieths for other scores. Of many tasks it is the normal law,
 * which the exact one is close to by then and takes the cube of their number to find.
 */
function bootstrapAccepts(tasks: readonly TaskPairs[]): boolean {
  const steps = tasks.every(({ before, after }) => [...before, ...after].every(Number.isInteger))
    ? Math.max(...tasks.map(({ before }) => before.length))
    : 20;
  const gains = tasks.map((task) => Math.round(gainOf(task) * steps));
  const lowest = Math.min(...gains);
  if (lowest > 0) return true;
  if (gains.length > mostFolded) return isNormallyAbove(gains);
  const span = Math.max(...gains) - lowest;
  let law = new Float64Array([1]);
  for (let drawn = 0; drawn < gains.length; drawn++) {
    const longer = new Float64Array(law.length + span);
    for (const gain of gains) {
      for (const [at, chance] of law.entries()) {
        longer[at + gain - lowest] = (longer[at + gain - lowest] ?? 0) + chance / gains.length;
      }
    }
    law = longer;
  }
  const zero = -lowest * gains.length;
  const noGain = law.subarray(0, zero + 1).reduce((sum, chance) => sum + chance, 0);
  return noGain <= 0.025 + epsilon;
}

const mostFolded = 40;

/** The mean of many drawn tasks lies above zero but for 2.5 % of the normal law. */
function isNormallyAbove(gains: readonly number[]): boolean {
  const mean = meanOf(gains);
  const spread = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  return mean > 0 && mean >= 1.959964 * Math.sqrt(spread / gains.length);
}

/** Bets on the candidate in every pair that differs; nobody multiplies a stake by 1 / alpha on fair coins more often. */
function bet(
  next: NextPass,
  { alpha, stake, passes }: { readonly alpha: number; readonly stake: number; readonly passes: number },
): RuleDecision {
  let wealth = 1;
  let attempts = 0;
  for (let pass = 0; pass < passes; pass++) {
    const pairs = next();
    if (pairs === undefined) return { kind: 'open', attempts };
    for (const { before, after } of pairs) {
      attempts += 2;
      if (before === 'invalid' || after === 'invalid' || before === after) continue;
      wealth *= after > before ? 1 + stake : 1 - stake;
      if (wealth >= 1 / alpha) return { kind: 'accepted', attempts };
    }
  }
  return { kind: 'rejected', attempts };
}
