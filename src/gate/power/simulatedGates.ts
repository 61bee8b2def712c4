import { startCertification } from '../statistics/certification.js';
import { isWorse } from '../statistics/losses.js';
import {
  isFutile,
  isShown,
  startSequentialTest,
  stepSequentialTest,
  type SequentialPlan,
  type SequentialState,
} from '../statistics/sequentialTest.js';

/** The held-out tasks of a certification, and what is asked of it. */
export interface GateOfTasks {
  /** Each task's chance to pass under the skill as it is; undefined where nobody knows it. */
  readonly rates: readonly (number | undefined)[];
  readonly noRegression: boolean;
}

/** A share of 0.37 has then a standard error of 1.5 points; more would keep a person waiting before a run. */
const simulatedGates = 1000;

/**
 * How often the gate, with its own schedule and limits, certifies an edit that makes every task pass by `gain` more often,
 * as far as it can: a task that always passes gains nothing. Unknown rates are drawn anew for every certification, from
 * the law that the bench assumes. Pass or fail: soft scores find more. The seed is fixed, so that every face says the same.
 */
export function foundShare({ rates, noRegression }: GateOfTasks, gain: number): number {
  const ordered = rates.toSorted((a = 2, b = 2) => a - b); // in whatever order the files name them
  const name = JSON.stringify([ordered.map((rate) => rate ?? null), noRegression, gain]);
  const before = remembered.get(name);
  if (before !== undefined) return before;
  const gate = gateFor(rates.length, noRegression);
  let found = 0;
  for (let seed = 0; seed < simulatedGates; seed++) {
    const random = seeded(seed);
    const chances = ordered.map((rate) => chancesOf(rate ?? usualRate(random()), gain));
    if (certifies(gate, chances, random)) found += 1;
  }
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(name, found / simulatedGates);
  return found / simulatedGates;
}

const remembered = new Map<string, number>();
const mostRemembered = 200;

/** One task in one pass: the chance that the candidate alone passes, and that exactly one of the two does. */
export interface Chances {
  readonly win: number;
  readonly differ: number;
}

function chancesOf(before: number, gain: number): Chances {
  const after = Math.min(1, before + gain);
  const win = after * (1 - before);
  return { win, differ: win + before * (1 - after) };
}

/**
 * The test after so many differing pairs in each pass. With pass or fail its laws depend on these numbers alone, so that
 * certifications which begin alike share them.
 */
interface Look {
  readonly state: SequentialState;
  readonly next: Map<number, Look>;
}

function lookAfter(plan: SequentialPlan, { state, next }: Look, differing: number): Look {
  const before = next.get(differing);
  if (before !== undefined) return before;
  const wins = Array.from({ length: differing }, () => 1);
  const look: Look = { state: stepSequentialTest(plan, state, wins), next: new Map() };
  next.set(differing, look);
  return look;
}

interface Gate {
  readonly plan: SequentialPlan;
  readonly start: Look;
  readonly noRegression: boolean;
}

/** The gate that so many tasks have, before its first pass. */
export function gateFor(n: number, noRegression: boolean): Gate {
  const { plan } = startCertification({ n, grid: 1 }).settings;
  return { plan, start: { state: startSequentialTest(0), next: new Map() }, noRegression };
}

/** One certification to its end: pass after pass until it is shown, futile or over. One number is drawn a task and pass. */
export function certifies(
  { plan, start, noRegression }: Gate,
  chances: readonly Chances[],
  random: () => number,
): boolean {
  const tallies = chances.map(() => ({ wins: 0, losses: 0 }));
  let won = 0;
  let crossed = false;
  let look = start;
  for (;;) {
    const pass = attempt(chances, tallies, random);
    won += pass.won;
    look = lookAfter(plan, look, pass.differing);
    crossed ||= won >= look.state.alive.length; // what is left alive ends where the boundary begins
    const byTask = crossed ? tallies.map(({ wins, losses }) => wins - losses) : [];
    const state = { ...look.state, won, crossed, byTask };
    if (isShown(plan, state) && !(noRegression && tallies.some(isWorse))) return true;
    if (state.passes >= plan.maxPasses || isFutile(plan, state)) return false;
  }
}

function attempt(
  chances: readonly Chances[],
  tallies: readonly { wins: number; losses: number }[],
  random: () => number,
): { readonly won: number; readonly differing: number } {
  let won = 0;
  let differing = 0;
  tallies.forEach((tally, task) => {
    const chance = chances[task];
    const draw = random();
    if (chance === undefined || draw >= chance.differ) return;
    differing += 1;
    const isWon = draw < chance.win;
    won += isWon ? 1 : 0;
    tally[isWon ? 'wins' : 'losses'] += 1;
  });
  return { won, differing };
}

/** The rate below which a share of tasks lies, under Beta(1.2, 1.2): mostly neither hopeless nor safe. */
function usualRate(share: number): number {
  usualRates ??= quantiles(128);
  return usualRates[Math.floor(share * usualRates.length)] ?? 0.5;
}

let usualRates: readonly number[] | undefined;

function quantiles(count: number): readonly number[] {
  const steps = 8192;
  const below: number[] = [];
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    const rate = (step + 0.5) / steps;
    below.push((sum += Math.pow(rate * (1 - rate), 0.2)));
  }
  return Array.from({ length: count }, (_, at) => {
    const share = ((at + 0.5) / count) * sum;
    return (below.findIndex((upTo) => upTo >= share) + 0.5) / steps;
  });
}

/** Uniform numbers in [0, 1), the same on every machine: a counter whose bits are mixed twice. */
function seeded(seed: number): () => number {
  let counter = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    counter = (counter + 0x6d2b79f5) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 15), counter | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
