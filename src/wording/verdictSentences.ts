import { minimumHeldOutTasks, tasksToGeneralise, type Claim } from '../gate/statistics/certification.js';
import type { Losses } from '../gate/statistics/losses.js';
import { parsimonyMargin } from '../gate/statistics/parsimony.js';
import type { GateFigures, UnmeasuredCause } from '../gate/verdict/verdict.js';
import { chargeText, count, list, percent, points } from './amounts.js';
import { attemptedTasks, otherTasks, pairedTasks } from './comparedTasks.js';
import { english as say } from './translate.js';

// A verdict is stored with its sentence, so these are English; what shows one retells it.

/** Why a claim was refused; `tasks`: beyond noise, but not spread over the tasks. */
export type RefusedBecause = 'futile' | 'noise' | 'tasks' | 'regression';

/** What one more complete pass costs; `usd` undefined where the model has no known price. */
export interface PassCost {
  readonly calls: number;
  readonly usd: number | undefined;
}

/** A reason, and what would settle it. */
interface ReasonAndCure {
  readonly reason: string;
  readonly cure: string;
}

/** Accepted by the confident rule. Says on which tasks it holds, and how often luck alone passes. */
export function acceptedSentence(figures: GateFigures, claim: Claim): string {
  const scope =
    figures.n < tasksToGeneralise ? say(' (below {0} tasks: shown on these tasks only)', tasksToGeneralise) : '';
  const odds = Math.round(1 / (figures.alpha ?? 1));
  return claim === 'not-worse'
    ? say(
        'As good as before and shorter: {0}, which after a loss of {1} points luck gives about once in {2} tests{3}.',
        change(figures),
        margin,
        odds,
        scope,
      )
    : say('Better: {0}, which luck alone gives at most once in {1} certifications{2}.', change(figures), odds, scope);
}

/** Rejected by the confident rule: not shown, which is not the same as worse. */
export function rejectedSentence(figures: GateFigures, claim: Claim, because: RefusedBecause): string {
  const not =
    claim === 'better' ? say('Not shown to be better') : say('Not shown to stay within {0} points of before', margin);
  switch (because) {
    case 'futile':
      return say('{0}: {1}; more passes would hardly show it, so no more was spent.', not, change(figures));
    case 'noise':
      return say('{0}: {1}, which luck gives often enough.', not, change(figures));
    case 'tasks':
      return say('{0} across tasks: {1}, but too few of the tasks carry it.', not, change(figures));
    case 'regression':
      return say(
        'Better on average, but worse beyond noise on {0}, and no task may get worse.',
        list(figures.regressed, say),
      );
  }
}

/** Why a stored sentence of the gate says no; undefined where it says no more than that. */
export function refusalIn(reason: string): RefusedBecause | undefined {
  if (reason.endsWith('; more passes would hardly show it, so no more was spent.')) return 'futile';
  if (reason.endsWith(', which luck gives often enough.')) return 'noise';
  if (reason.endsWith(', but too few of the tasks carry it.')) return 'tasks';
  return /^(?:Better|Higher) on average, but (?:worse|lower)/.test(reason) ? 'regression' : undefined;
}

/** What a stored text adds to the sentence of a gate that decided: the notes of a night. */
export function behindSentence(reason: string): string {
  return reason.replace(decidedSentence, '');
}

/** That sentence alone; empty where the text holds none. */
export function gateSentenceIn(reason: string): string {
  return decidedSentence.exec(reason)?.[1] ?? '';
}

const decidedSentence =
  /^(?:Edits were tried, and nothing is staged\. )?((?:Better|As good as before|Not shown|Higher|Not higher)\b.*?\.)(?:\s+|$)/;

/** What a stored sentence of the gate claims. */
export function claimIn(reason: string): Claim {
  return reason.startsWith('As good as before') ? 'not-worse' : 'better';
}

/** The paper's rule, labelled: it looks once and does not know luck. Below the confident rule's least it says so too. */
export function strictSentence(figures: GateFigures, outcome: 'accepted' | 'not-higher' | 'regression'): string {
  if (outcome !== 'regression' && (figures.notNeeded ?? 0) > 0) return strictEarly(figures, outcome);
  if (figures.n < minimumHeldOutTasks) return strictOnFew(figures, outcome);
  switch (outcome) {
    case 'accepted':
      return say('Higher (strict rule: one look, luck not excluded): {0}.', change(figures));
    case 'not-higher':
      return say('Not higher (strict rule: one look, luck not excluded): {0}.', change(figures));
    case 'regression':
      return say(
        'Higher on average, but lower on {0}, and no score may fall (strict rule: one look, luck not excluded).',
        list(figures.regressed, say),
      );
  }
}

/** Decided before every task was attempted: the scores are those of the tasks that were. */
function strictEarly(figures: GateFigures, outcome: 'accepted' | 'not-higher'): string {
  const label =
    figures.n < minimumHeldOutTasks
      ? say('strict rule with fewer than {0} held-out tasks: one look, luck not excluded', minimumHeldOutTasks)
      : say('strict rule: one look, luck not excluded');
  const facts = [
    label,
    attemptedTasks(figures, say),
    percent(figures.before),
    percent(figures.after),
    otherTasks(figures, say),
  ];
  return outcome === 'accepted'
    ? say('Higher ({0}) on {1}: from {2} to {3}; {4}.', ...facts)
    : say('Not higher ({0}) on {1}: from {2} to {3}; {4}.', ...facts);
}

function strictOnFew(figures: GateFigures, outcome: 'accepted' | 'not-higher' | 'regression'): string {
  switch (outcome) {
    case 'accepted':
      return say(
        'Higher (strict rule with fewer than {0} held-out tasks: one look, luck not excluded): {1}.',
        minimumHeldOutTasks,
        change(figures),
      );
    case 'not-higher':
      return say(
        'Not higher (strict rule with fewer than {0} held-out tasks: one look, luck not excluded): {1}.',
        minimumHeldOutTasks,
        change(figures),
      );
    case 'regression':
      return say(
        'Higher on average, but lower on {0}, and no score may fall (strict rule with fewer than {1} held-out tasks: one look, luck not excluded).',
        list(figures.regressed, say),
        minimumHeldOutTasks,
      );
  }
}

/** Said instead of spending anything. */
export function tooFewSentence(n: number, least = minimumHeldOutTasks): ReasonAndCure {
  return {
    reason: say('Undecided: with {0} nothing can be shown, {1} are the least.', count(n, 'held-out task', say), least),
    cure: least - n === 1 ? say('1 more held-out task.') : say('{0} more held-out tasks.', least - n),
  };
}

/** More than a tenth of the pairs, or one side more than the other. */
export function lostSentence(
  losses: Losses,
  cause: 'too-many-lost' | 'loss-differs-by-side',
  again?: { readonly maxPasses: number; readonly cost: PassCost | undefined },
): ReasonAndCure {
  const measure =
    again === undefined
      ? say('measure again')
      : say('measure again (at most {0})', withCost(passes(again.maxPasses), again.cost, again.maxPasses));
  if (cause === 'too-many-lost') {
    return {
      reason: say(
        'Undecided: {0} of {1} pairs gave no result, and above a tenth nothing is decided.',
        losses.lost,
        losses.pairs,
      ),
      cure: say('Once the model answers reliably, {0}.', measure),
    };
  }
  return {
    reason: say(
      'Undecided: attempts without result fall on one side (original {0}, candidate {1}), so what is left is no fair comparison.',
      losses.beforeOnly,
      losses.afterOnly,
    ),
    cure:
      losses.afterOnly > losses.beforeOnly
        ? say('See why attempts under the candidate give no result, then {0}.', measure)
        : say('See why attempts under the original give no result, then {0}.', measure),
  };
}

/** The luck that this held-out set may be asked to resist is used up: here, or under skills that have the same tasks. */
export function emptyBudgetSentence(spent: {
  readonly certifications: number;
  readonly newTasks: number;
  readonly elsewhere?: { readonly certifications: number; readonly names: string } | undefined;
}): ReasonAndCure {
  const { newTasks, elsewhere } = spent;
  const all = count(spent.certifications, 'certification', say);
  return {
    reason:
      elsewhere === undefined
        ? say('Undecided: {0} used up the error budget of these held-out tasks.', all)
        : say(
            'Undecided: {0} used up the error budget of these held-out tasks, {1} of them on the same tasks under {2}.',
            all,
            elsewhere.certifications,
            elsewhere.names,
          ),
    cure: say('{0}, or your recorded decision to start the budget afresh.', count(newTasks, 'new held-out task', say)),
  };
}

/** Ended from outside before a decision; every further pass may settle it, the last one does. */
export function cutSentence(cut: {
  readonly passes: number;
  readonly maxPasses: number;
  readonly endedBy: 'cap' | 'end-of-scores';
  readonly cost: PassCost | undefined;
}): ReasonAndCure {
  const left = cut.maxPasses - cut.passes;
  return {
    reason:
      cut.endedBy === 'cap'
        ? say('Undecided after {0} of at most {1}: the spending cap ended it.', cut.passes, passes(cut.maxPasses))
        : say('Undecided after {0} of at most {1}: the scores end here.', cut.passes, passes(cut.maxPasses)),
    cure: say('At most {0}.', withCost(count(left, 'more pass', say), cut.cost, left)),
  };
}

/** The strict rule looks once, and did not come to it. */
export function strictCutSentence(cost: PassCost | undefined): ReasonAndCure {
  return {
    reason: say('Undecided: the spending cap ended it before the held-out tasks were compared (strict rule).'),
    cure: onePass(cost),
  };
}

/** Nothing was measured, and why. */
export function unmeasuredSentence(cause: UnmeasuredCause): string {
  return {
    'gate-off': say('Not measured: the gate is off, so nothing was spent on held-out tasks.'),
    'no-held-out': say('Not measured: there are no held-out tasks.'),
    leaked: say('Not measured: held-out tasks were used for training, so their scores prove nothing.'),
    'partly-accepted': say('Not measured: only part of the measured edits was taken.'),
    'edited-by-hand': say('Not measured: the text was changed after it was measured.'),
    'nothing-proposed': say('Not measured: no edit was proposed.'),
    'made-elsewhere': say('Not measured here: this proposal was made elsewhere.'),
    'not-certified': say('Not certified: this candidate was measured on training tasks alone.'),
  }[cause];
}

/** Shown where the figures that decided rose and those that decide nothing fell; undefined otherwise. */
export function sealedWarning(
  heldOutDifference: number,
  sealed: { readonly before: number; readonly after: number; readonly n: number },
): string | undefined {
  const fell = sealed.after - sealed.before;
  if (heldOutDifference <= 0 || fell >= 0) return undefined;
  return say(
    'The held-out tasks rose ({0}) but the {1} fell ({2}): the gain may not carry over to other tasks.',
    points(heldOutDifference, say),
    count(sealed.n, 'sealed task', say),
    points(fell, say),
  );
}

/** Repeats that never differ are no repeats, unless the model is truly deterministic. */
export function copiesWarning(number: number): string {
  return say(
    'No task ever gave two different scores in {0}: check that repeats are fresh attempts and no stored replies.',
    passes(number),
  );
}

const margin = Math.round(parsimonyMargin * 100);

function change(figures: GateFigures): string {
  const facts = [pairedTasks(figures, say), percent(figures.before), percent(figures.after)];
  return figures.rule === 'confident'
    ? say('{0} went from {1} to {2} in {3}', ...facts, passes(figures.passes))
    : say('{0} went from {1} to {2}', ...facts);
}

function onePass(cost: PassCost | undefined): string {
  if (cost === undefined) return say('1 pass.');
  const calls = count(cost.calls, 'call', say);
  return cost.usd === undefined
    ? say('1 pass, about {0}.', calls)
    : say('1 pass, about {0}, {1}.', calls, chargeText(cost.usd, say));
}

/** `8 passes, about 96 calls, 0.12 USD`. */
function withCost(what: string, cost: PassCost | undefined, number: number): string {
  if (cost === undefined) return what;
  const calls = count(cost.calls * number, 'call', say);
  return cost.usd === undefined
    ? say('{0}, about {1}', what, calls)
    : say('{0}, about {1}, {2}', what, calls, chargeText(cost.usd * number, say));
}

function passes(number: number): string {
  return count(number, 'pass', say);
}
