import { beta, seeded, type Random } from '../rules/random.js';
import { baseRate, clip } from '../rules/simulatedTasks.js';
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

/** A share has then a standard error of 1.1 points at most; more would keep a person waiting before a run. */
const simulatedGates = 2000;

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
    const rate = seeded(seed, 1); // a source of its own: what is known of one task changes the luck of no other
    const chances = ordered.map((known) => chancesOf(known ?? beta(rate, baseRate.a, baseRate.b), gain));
    if (certifies(gate, chances, seeded(seed, 2))) found += 1;
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
  const after = clip(before + gain);
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
export function certifies({ plan, start, noRegression }: Gate, chances: readonly Chances[], random: Random): boolean {
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
  random: Random,
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
