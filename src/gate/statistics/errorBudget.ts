import { certificationAlpha } from './certification.js';
import { epsilon } from './walk.js';

/** The chance of any false acceptance against one held-out set, over all runs and nights. */
export const wholeErrorBudget = 0.05;

/** One certification that was begun. It is paid for then, whatever becomes of it. */
export interface PaidCertification {
  readonly id: string;
  readonly alpha: number;
  /** Made on the simulated model: it says nothing about any other, and counts in its own skill alone. */
  readonly simulated?: true;
}

/** Why the budget grew: fresh evidence, or the person's decision on the record. */
export type BudgetRefill =
  | { readonly kind: 'new-tasks'; readonly amount: number; readonly newTasks: number; readonly allTasks: number }
  | { readonly kind: 'person'; readonly amount: number; readonly at: string; readonly reason: string };

/** The error budget of one skill and its held-out set. JSON; every change is a new value. */
export interface ErrorBudget {
  readonly remaining: number;
  /** Content hashes of every task that was ever held out: one that leaves and returns is not new. */
  readonly knownTasks: readonly string[];
  /** Keys of their words and files: one that is written a little differently is not new. Earlier versions kept none. */
  readonly knownTexts?: readonly string[];
  readonly certifications: readonly PaidCertification[];
  readonly refills: readonly BudgetRefill[];
  /** What was taken for other skills with some of the same held-out tasks. Earlier versions took nothing. */
  readonly elsewhere?: readonly SpentElsewhere[];
  /** How much of what is missing now was taken for them; the rest was spent here. */
  readonly takenElsewhere?: number;
}

/** What certifications under another skill, on held-out tasks that this one has too, cost here. */
export interface SpentElsewhere {
  /** The other skill, as user state names it. */
  readonly skill: string;
  /** The largest part of the held-out tasks that the other was certified on too, 0..1. */
  readonly share: number;
  /** That part of what it spent, as far as it was counted. */
  readonly charged: number;
}

/** A skill that was never certified. */
export function openErrorBudget(heldOut: readonly string[]): ErrorBudget {
  return { remaining: wholeErrorBudget, knownTasks: unique(heldOut), certifications: [], refills: [] };
}

/** What is known of held-out tasks, by their content hashes. */
export interface HeldOutFacts {
  /** Those that came here from another side. */
  readonly moved?: ReadonlySet<string>;
  /** A key of the words and files of each: equal for tasks that differ only in marks, checks and names. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Those that another skill was certified on. */
  readonly knownElsewhere?: ReadonlySet<string>;
}

/**
 * The budget before a certification on these held-out tasks: those never seen before bring their share of it back. A task
 * that was `moved` here from another side is known from now on and brings nothing: it was at hand all the time. Neither
 * does one with the words and files of a task that is known, here or under another skill.
 */
export function meetHeldOut(before: ErrorBudget, heldOut: readonly string[], facts: HeldOutFacts = {}): ErrorBudget {
  const present = unique(heldOut);
  const known = new Set(before.knownTasks);
  const fresh = freshTasks(before, present, facts);
  const budget = learned(
    before,
    present.filter((hash) => !known.has(hash)),
    textsOf(present, facts.texts ?? new Map()),
  );
  if (fresh.length === 0) return budget;
  const share = (wholeErrorBudget * fresh.length) / present.length;
  const remaining = Math.min(wholeErrorBudget, budget.remaining + share);
  const amount = remaining - budget.remaining;
  const refill: BudgetRefill = { kind: 'new-tasks', amount, newTasks: fresh.length, allTasks: present.length };
  return { ...refilled(budget, amount), remaining, refills: [...budget.refills, refill] };
}

/** Those of the held-out tasks that nothing is known of. */
export function freshTasks(
  before: ErrorBudget,
  heldOut: readonly string[],
  { moved = new Set(), texts = new Map(), knownElsewhere = new Set() }: HeldOutFacts,
): readonly string[] {
  const known = new Set(before.knownTasks);
  const met = heldOut.filter((hash) => known.has(hash));
  const knownTexts = new Set([...(before.knownTexts ?? []), ...textsOf(met, texts)]);
  return heldOut.filter(
    (hash) =>
      !known.has(hash) && !moved.has(hash) && !knownElsewhere.has(hash) && !knownTexts.has(texts.get(hash) ?? hash),
  );
}

/** What comes back makes up first for what was taken for other skills. */
function refilled(budget: ErrorBudget, amount: number): ErrorBudget {
  const { takenElsewhere, ...rest } = budget;
  const left = (takenElsewhere ?? 0) - amount;
  return left > epsilon ? { ...rest, takenElsewhere: left } : rest;
}

function textsOf(hashes: readonly string[], texts: ReadonlyMap<string, string>): readonly string[] {
  return hashes.map((hash) => texts.get(hash)).filter((text) => text !== undefined);
}

/** The same budget where it knew all of them. */
function learned(budget: ErrorBudget, tasks: readonly string[], texts: readonly string[]): ErrorBudget {
  const { knownTasks, knownTexts = [] } = budget;
  const all = unique([...knownTexts, ...texts]);
  if (tasks.length === 0 && all.length === knownTexts.length) return budget;
  return { ...budget, knownTasks: [...knownTasks, ...tasks], ...(all.length === 0 ? {} : { knownTexts: all }) };
}

/** Whether one more certification can be paid for. */
export function canCertify(budget: ErrorBudget): boolean {
  return budget.remaining + epsilon >= certificationAlpha;
}

/**
 * The budget with this certification paid; undefined where it is empty. Paying twice for one id costs once, so a
 * certification that is resumed, or whose record was written twice, is not charged again.
 */
export function payCertification(
  budget: ErrorBudget,
  id: string,
  { simulated = false }: { readonly simulated?: boolean } = {},
): ErrorBudget | undefined {
  if (budget.certifications.some((paid) => paid.id === id)) return budget;
  if (!canCertify(budget)) return undefined;
  return {
    ...budget,
    remaining: Math.max(0, budget.remaining - certificationAlpha),
    certifications: [...budget.certifications, { id, alpha: certificationAlpha, ...(simulated ? { simulated } : {}) }],
  };
}

/** The person takes the risk upon themselves: a full budget again, with when and why on the record. */
export function refillByPerson(
  budget: ErrorBudget,
  decision: { readonly at: string; readonly reason: string },
): ErrorBudget {
  const amount = wholeErrorBudget - budget.remaining;
  const refill: BudgetRefill = { kind: 'person', amount, ...decision };
  return { ...refilled(budget, amount), remaining: wholeErrorBudget, refills: [...budget.refills, refill] };
}

/** How many new held-out tasks would pay for the next certification; 0 where it is paid for already. */
export function newTasksToCertify(budget: ErrorBudget, heldOutTasks: number): number {
  if (canCertify(budget)) return 0;
  const missing = certificationAlpha - budget.remaining;
  // new / (tasks + new) of the whole budget must reach what is missing.
  return Math.ceil((missing * heldOutTasks) / (wholeErrorBudget - missing) - epsilon);
}

function unique(hashes: readonly string[]): readonly string[] {
  return [...new Set(hashes)];
}
