import { minimumHeldOutTasks, tasksToGeneralise, type Claim } from '../statistics/certification.js';
import type { Losses } from '../statistics/losses.js';
import { parsimonyMargin } from '../statistics/parsimony.js';
import type { GateFigures, UnmeasuredCause } from './verdict.js';
import { count, list, percent, points } from './wording.js';

/** Why a claim was refused; `tasks`: beyond noise, but not spread over the tasks. */
export type RefusedBecause = 'futile' | 'noise' | 'tasks' | 'regression';

/** What one more complete pass costs; `usd` undefined where the model has no known price. */
export interface PassCost {
  readonly calls: number;
  readonly usd: number | undefined;
}

/** Accepted by the confident rule. Says on which tasks it holds, and how often luck alone passes. */
export function acceptedSentence(figures: GateFigures, claim: Claim): string {
  const scope = figures.n < tasksToGeneralise ? ` (below ${tasksToGeneralise} tasks: shown on these tasks only)` : '';
  const odds = Math.round(1 / (figures.alpha ?? 1));
  if (claim === 'not-worse') {
    return `As good as before and shorter: ${change(figures)}, which after a loss of ${margin} luck gives about once in ${odds} tests${scope}.`;
  }
  return `Better: ${change(figures)}, which luck alone gives at most once in ${odds} certifications${scope}.`;
}

/** Rejected by the confident rule: not shown, which is not the same as worse. */
export function rejectedSentence(figures: GateFigures, claim: Claim, because: RefusedBecause): string {
  const not = claim === 'better' ? 'Not shown to be better' : `Not shown to stay within ${margin} of before`;
  switch (because) {
    case 'futile':
      return `${not}: ${change(figures)}; more passes would hardly show it, so no more was spent.`;
    case 'noise':
      return `${not}: ${change(figures)}, which luck gives often enough.`;
    case 'tasks':
      return `${not} across tasks: ${change(figures)}, but too few of the tasks carry it.`;
    case 'regression':
      return `Better on average, but worse beyond noise on ${list(figures.regressed)}, and no task may get worse.`;
  }
}

/** The paper's rule, labelled: it looks once and does not know luck. */
export function strictSentence(figures: GateFigures, outcome: 'accepted' | 'not-higher' | 'regression'): string {
  const label = 'strict rule: one look, luck not excluded';
  switch (outcome) {
    case 'accepted':
      return `Higher (${label}): ${change(figures)}.`;
    case 'not-higher':
      return `Not higher (${label}): ${change(figures)}.`;
    case 'regression':
      return `Higher on average, but lower on ${list(figures.regressed)}, and no score may fall (${label}).`;
  }
}

/** Said instead of spending anything. */
export function tooFewSentence(n: number): { readonly reason: string; readonly cure: string } {
  return {
    reason: `Undecided: with ${count(n, 'held-out task')} nothing can be shown, ${minimumHeldOutTasks} are the least.`,
    cure: `${count(minimumHeldOutTasks - n, 'more held-out task')}.`,
  };
}

/** More than a tenth of the pairs, or one side more than the other. */
export function lostSentence(
  losses: Losses,
  cause: 'too-many-lost' | 'loss-differs-by-side',
  again?: { readonly maxPasses: number; readonly cost: PassCost | undefined },
): { readonly reason: string; readonly cure: string } {
  const measure = `measure again${again === undefined ? '' : ` (at most ${count(again.maxPasses, 'pass', 'passes')}${costOf(again.cost, again.maxPasses)})`}`;
  if (cause === 'too-many-lost') {
    return {
      reason: `Undecided: ${losses.lost} of ${losses.pairs} pairs gave no result, and above a tenth nothing is decided.`,
      cure: `Once the model answers reliably, ${measure}.`,
    };
  }
  const side = losses.afterOnly > losses.beforeOnly ? 'candidate' : 'original';
  return {
    reason: `Undecided: attempts without result fall on one side (original ${losses.beforeOnly}, candidate ${losses.afterOnly}), so what is left is no fair comparison.`,
    cure: `See why attempts under the ${side} give no result, then ${measure}.`,
  };
}

/** The luck that this held-out set may be asked to resist is used up. */
export function emptyBudgetSentence(
  certifications: number,
  newTasks: number,
): { readonly reason: string; readonly cure: string } {
  return {
    reason: `Undecided: ${count(certifications, 'certification')} used up the error budget of these held-out tasks.`,
    cure: `${count(newTasks, 'new held-out task')}, or your recorded decision to start the budget afresh.`,
  };
}

/** Ended from outside before a decision; every further pass may settle it, the last one does. */
export function cutSentence(cut: {
  readonly passes: number;
  readonly maxPasses: number;
  readonly endedBy: 'cap' | 'end-of-scores';
  readonly cost: PassCost | undefined;
}): { readonly reason: string; readonly cure: string } {
  const why = cut.endedBy === 'cap' ? 'the spending cap ended it' : 'the scores end here';
  const left = cut.maxPasses - cut.passes;
  return {
    reason: `Undecided after ${cut.passes} of at most ${count(cut.maxPasses, 'pass', 'passes')}: ${why}.`,
    cure: `At most ${count(left, 'more pass', 'more passes')}${costOf(cut.cost, left)}.`,
  };
}

/** The strict rule looks once, and did not come to it. */
export function strictCutSentence(cost: PassCost | undefined): { readonly reason: string; readonly cure: string } {
  return {
    reason: 'Undecided: the spending cap ended it before the held-out tasks were compared (strict rule).',
    cure: `1 pass${costOf(cost, 1)}.`,
  };
}

/** Nothing was measured, and why. */
export function unmeasuredSentence(cause: UnmeasuredCause): string {
  return unmeasured[cause];
}

/** Shown where the figures that decided rose and those that decide nothing fell; undefined otherwise. */
export function sealedWarning(
  heldOutDifference: number,
  sealed: { readonly before: number; readonly after: number; readonly n: number },
): string | undefined {
  const fell = sealed.after - sealed.before;
  if (heldOutDifference <= 0 || fell >= 0) return undefined;
  return `The held-out tasks rose (${points(heldOutDifference)}) but the ${count(sealed.n, 'sealed task')} fell (${points(fell)}): the gain may not carry over to other tasks.`;
}

/** Repeats that never differ are no repeats, unless the model is truly deterministic. */
export function copiesWarning(passes: number): string {
  return `No task ever gave two different scores in ${count(passes, 'pass', 'passes')}: check that repeats are fresh attempts and no stored replies.`;
}

const margin = `${Math.round(parsimonyMargin * 100)} points`;

const unmeasured: Readonly<Record<UnmeasuredCause, string>> = {
  'gate-off': 'Not measured: the gate is off, so nothing was spent on held-out tasks.',
  'no-held-out': 'Not measured: there are no held-out tasks.',
  leaked: 'Not measured: held-out tasks were used for training, so their scores prove nothing.',
  'partly-accepted': 'Not measured: only part of the measured edits was taken.',
  'edited-by-hand': 'Not measured: the text was changed after it was measured.',
  'nothing-proposed': 'Not measured: no edit was proposed.',
  'made-elsewhere': 'Not measured here: this proposal was made elsewhere.',
};

function change(figures: GateFigures): string {
  const tasks = count(figures.n, 'held-out task');
  const passes = figures.rule === 'confident' ? ` in ${count(figures.passes, 'pass', 'passes')}` : '';
  return `${tasks} went from ${percent(figures.before)} to ${percent(figures.after)}${passes}`;
}

function costOf(cost: PassCost | undefined, passes: number): string {
  if (cost === undefined) return '';
  const usd = cost.usd === undefined ? '' : `, ${money(cost.usd * passes)}`;
  return `, about ${count(cost.calls * passes, 'call')}${usd}`;
}

/** What costs something never reads as nothing. */
function money(usd: number): string {
  if (usd === 0) return 'free of charge';
  return usd < 0.01 ? 'less than 0.01 USD' : `${usd.toFixed(2)} USD`;
}
