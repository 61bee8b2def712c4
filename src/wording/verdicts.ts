import { minimumHeldOutTasks, neverVaries } from '../gate/statistics/certification.js';
import { newTasksToCertify, type ErrorBudget } from '../gate/statistics/errorBudget.js';
import { certificationFigures, strictFigures, type CertifiedTasks, type StrictTasks } from '../gate/verdict/figures.js';
import { judgeLosses, lossesOf } from '../gate/statistics/losses.js';
import {
  acceptedSentence,
  copiesWarning,
  cutSentence,
  emptyBudgetSentence,
  lostSentence,
  rejectedSentence,
  strictCutSentence,
  strictSentence,
  tooFewSentence,
  unmeasuredSentence,
  type PassCost,
  type RefusedBecause,
} from './verdictSentences.js';
import { english as say } from './translate.js';
import { lowerScores, minimumStrictTasks, selects } from '../gate/statistics/strictRule.js';
import type { GateFigures, UnmeasuredCause, Verdict } from '../gate/verdict/verdict.js';

/** How a certification that is still open came to its end, and what going on would cost. */
export interface CutShort {
  readonly endedBy: 'cap' | 'end-of-scores';
  readonly cost?: PassCost | undefined;
}

/**
 * What a person is told about a certification. One that is still open was cut short: `inconclusive`, with what another
 * pass costs, and it may be resumed; every other verdict is final.
 */
export function certificationVerdict(tasks: CertifiedTasks, cut: CutShort = { endedBy: 'cap' }): Verdict {
  const { decision, settings } = tasks.certification;
  const figures = doubted(tasks);
  switch (decision.kind) {
    case 'accepted':
      return { kind: 'accepted', reason: acceptedSentence(figures, settings.claim), figures };
    case 'rejected':
      return {
        kind: 'rejected',
        reason: rejectedSentence(figures, settings.claim, refusedBecause(tasks, decision.cause)),
        figures,
      };
    case 'void':
      return lost(tasks, decision.cause, cut);
    case 'continue':
      return cutShort(tasks, cut);
  }
}

/** The selection's own scores, judged by the paper's rule. The tenth of lost pairs holds here too, and 3 tasks are enough.
 * `heldOutTasks` counts also those that were not needed for the decision. */
export function strictVerdict(tasks: StrictTasks, options: { readonly noRegression: boolean }): Verdict {
  const n = tasks.pairs.length + (tasks.notNeeded ?? 0);
  if (n < minimumStrictTasks) return tooFewTasks(n, minimumStrictTasks);
  const figures = strictFigures(tasks);
  const losses = strictLosses(tasks);
  const judgement = judgeLosses(losses, losses.pairs);
  if (judgement === 'too-many-lost' || judgement === 'loss-differs-by-side') {
    const measured = losses.lost < losses.pairs ? figures : undefined;
    return { kind: 'inconclusive', cause: 'too-many-invalid', ...lostSentence(losses, judgement), figures: measured };
  }
  if (!selects(tasks.pairs)) {
    return { kind: 'rejected', reason: strictSentence(figures, 'not-higher'), figures };
  }
  if (options.noRegression && lowerScores(tasks.pairs).length > 0) {
    return { kind: 'rejected', reason: strictSentence(figures, 'regression'), figures };
  }
  return { kind: 'accepted', reason: strictSentence(figures, 'accepted'), figures };
}

/** A cap came before the strict rule had its one look. */
export function strictCutShort(cost: PassCost | undefined): Verdict {
  return { kind: 'inconclusive', cause: 'cap', ...strictCutSentence(cost), figures: undefined };
}

/** Refused before any call is spent. */
export function tooFewTasks(n: number, least = minimumHeldOutTasks): Verdict {
  return { kind: 'inconclusive', cause: 'too-few-tasks', ...tooFewSentence(n, least), figures: undefined };
}

/** A skill with the same held-out tasks that was certified on them too; its file, unless it is gone. */
interface SpentUnder {
  readonly name: string | undefined;
  readonly certifications: number;
}

const mostNamed = 3;

/** Refused before any call is spent: another certification would let luck add up. */
export function errorBudgetEmpty(
  budget: ErrorBudget,
  heldOutTasks: number,
  spentBy: readonly SpentUnder[] = [],
): Verdict {
  const sentence = emptyBudgetSentence(spentBudget(budget, heldOutTasks, spentBy));
  return { kind: 'inconclusive', cause: 'error-budget-empty', ...sentence, figures: undefined };
}

/** Who spent a budget that pays for no further certification, and how many new tasks bring enough of it back. */
export function spentBudget(
  budget: ErrorBudget,
  heldOutTasks: number,
  spentBy: readonly SpentUnder[] = [],
): Parameters<typeof emptyBudgetSentence>[0] {
  const elsewhere = spentBy.reduce((sum, { certifications }) => sum + certifications, 0);
  const names = spentBy.flatMap(({ name }) => (name === undefined ? [] : [`“${name}”`])).slice(0, mostNamed);
  return {
    certifications: budget.certifications.length + elsewhere,
    newTasks: newTasksToCertify(budget, heldOutTasks),
    elsewhere: names.length === 0 ? undefined : { certifications: elsewhere, names: names.join(', ') },
  };
}

/** Never measured as it stands. */
export function unmeasured(cause: UnmeasuredCause): Verdict {
  return { kind: 'unmeasured', cause, reason: unmeasuredSentence(cause) };
}

/** None where no pair has a result on both sides: what was not measured is no zero. */
function measuredFigures(tasks: CertifiedTasks): GateFigures | undefined {
  return tasks.certification.tallies.some(({ pairs }) => pairs > 0) ? doubted(tasks) : undefined;
}

/** The figures with what speaks against them. */
function doubted(tasks: CertifiedTasks): GateFigures {
  const { certification, copied = false } = tasks;
  const { passes } = certification.test;
  const unvaried = neverVaries(certification) ? [copiesWarning(passes)] : [];
  const warnings = copied ? [copiedWarning] : unvaried;
  return { ...certificationFigures(tasks), warnings };
}

const copiedWarning = say(
  'Every repeat of a prompt has the same answer, letter for letter: copies prove no more than one answer does.',
);

function refusedBecause(tasks: CertifiedTasks, cause: 'futile' | 'not-shown' | 'regression'): RefusedBecause {
  if (cause !== 'not-shown') return cause;
  return tasks.certification.test.crossed ? 'tasks' : 'noise';
}

function cutShort(tasks: CertifiedTasks, cut: CutShort): Verdict {
  const { settings, test, tallies } = tasks.certification;
  const possiblePairs = tallies.length * settings.plan.maxPasses;
  const waiting = judgeLosses(lossesOf(tallies, test.passes), possiblePairs) === 'waiting';
  // A cap can be lifted and passes without loss added; scores that end here stay as they are.
  if (waiting && cut.endedBy === 'end-of-scores') return lost(tasks, 'too-many-lost', cut);
  const sentence = cutSentence({
    passes: test.passes,
    maxPasses: settings.plan.maxPasses,
    endedBy: cut.endedBy,
    cost: cut.cost,
  });
  return { kind: 'inconclusive', cause: 'cap', ...sentence, figures: measuredFigures(tasks) };
}

/** It is over, so what would settle it is a certification from the start; foreign scores have no price. */
function lost(tasks: CertifiedTasks, cause: 'too-many-lost' | 'loss-differs-by-side', cut: CutShort): Verdict {
  const { test, tallies, settings } = tasks.certification;
  const { maxPasses } = settings.plan;
  const again = cut.endedBy === 'cap' ? { maxPasses, cost: cut.cost } : undefined;
  const sentence = lostSentence(lossesOf(tallies, test.passes), cause, again);
  return { kind: 'inconclusive', cause: 'too-many-invalid', ...sentence, figures: measuredFigures(tasks) };
}

function strictLosses({ pairs }: StrictTasks) {
  const beforeOnly = pairs.filter((pair) => pair.before === undefined && pair.after !== undefined).length;
  const afterOnly = pairs.filter((pair) => pair.before !== undefined && pair.after === undefined).length;
  const both = pairs.filter((pair) => pair.before === undefined && pair.after === undefined).length;
  return { pairs: pairs.length, lost: beforeOnly + afterOnly + both, beforeOnly, afterOnly };
}
