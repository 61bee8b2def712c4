import { openErrorBudget, payCertification } from '../statistics/errorBudget.js';
import { tasksToGeneralise } from '../statistics/certification.js';
import { shareInterval } from '../statistics/interval.js';
import type { AcceptanceRule, NextPass, RuleDecision } from './acceptanceRules.js';
import { seeded, type Random } from './random.js';
import { passesOf, type RecordedOutcomes } from './recordedOutcomes.js';
import { attemptPass, drawTasks } from './simulatedTasks.js';

/** A share of so many resamples, with Wilson's 95 % interval. */
export interface Share {
  readonly hits: number;
  readonly of: number;
  readonly share: number;
  readonly interval: readonly [number, number];
}

/** Resamples of one kind under one rule. */
export interface RuleCell {
  readonly seed: readonly number[];
  readonly accepted: Share;
  /** Mean attempts of a decision, both sides together. */
  readonly attempts: number;
}

/** One rule on the recorded pass rates and on the assumed ones. */
export interface RuleRow {
  readonly rule: Omit<AcceptanceRule, 'decide' | 'asksOfFew'>;
  readonly noEffect: RuleCell;
  /** Any acceptance in as many decisions in a row as the error budget of one held-out set pays for. */
  readonly inARow: Share;
  readonly recorded: EffectCells;
  readonly assumed: EffectCells;
  /** What the rule says of the comparisons that were really made, as they were recorded. */
  readonly compared: readonly RuleDecision[];
}

/** A gain of so many points at every task. */
export interface EffectCells {
  readonly 20: RuleCell;
  readonly 40: RuleCell;
}

export interface RuleTableSettings {
  readonly seed: number;
  /** Resamples of an edit that changes nothing; a fifth of it for each gain. */
  readonly resamples: number;
}

/** How many decisions in a row are taken together: what the gate's own error budget pays for. */
export function decisionsInARow(): number {
  let paid = 0;
  let budget: ReturnType<typeof payCertification> = openErrorBudget([]);
  while (budget !== undefined) {
    budget = payCertification(budget, `certification ${paid}`);
    if (budget !== undefined) paid += 1;
  }
  return paid;
}

/** So many edits are tried under a rule: those that change nothing, and four kinds of gains. */
export function triesOf({ resamples }: RuleTableSettings): number {
  return resamples + 4 * gainsOf(resamples);
}

function gainsOf(resamples: number): number {
  return Math.ceil(resamples / 5);
}

/** One rule on these tasks. Every cell has a stream of its own, the same for all rules. */
export function ruleRow(rule: AcceptanceRule, outcomes: RecordedOutcomes, settings: RuleTableSettings): RuleRow {
  const tries = ruleTries(rule, outcomes, settings);
  for (;;) {
    const tried = tries.next();
    if (tried.done === true) return tried.value;
  }
}

/** The same try by try: with many tasks one takes long, and who waits may want to be heard in between. */
export function* ruleTries(
  rule: AcceptanceRule,
  outcomes: RecordedOutcomes,
  settings: RuleTableSettings,
): Generator<void, RuleRow> {
  const { grid } = outcomes;
  const n = outcomes.scores.length;
  const gains = gainsOf(settings.resamples);
  function* measure(effect: number, resamples: number, kind: 'recorded' | 'assumed') {
    const seed = [settings.seed, n, effect];
    const random = seeded(...seed);
    const decisions = yield* decided(resamples, () =>
      kind === 'recorded'
        ? rule.decide(passesOf(outcomes, effect / 100, random), grid)
        : rule.decide(assumedPasses(random, n, effect / 100), 1),
    );
    return { decisions, cell: cellOf(seed, decisions) };
  }
  const noEffect = yield* measure(0, settings.resamples, 'recorded');
  return {
    rule: { id: rule.id, name: rule.name, asks: questionOf(rule, n), asksAsWeDo: rule.asksAsWeDo, source: rule.source },
    noEffect: noEffect.cell,
    inARow: anyInARow(noEffect.decisions, decisionsInARow()),
    recorded: {
      20: (yield* measure(20, gains, 'recorded')).cell,
      40: (yield* measure(40, gains, 'recorded')).cell,
    },
    assumed: { 20: (yield* measure(20, gains, 'assumed')).cell, 40: (yield* measure(40, gains, 'assumed')).cell },
    compared: yield* decided(outcomes.compared.length, comparisons(rule, outcomes)),
  };
}

function* decided(resamples: number, decide: () => RuleDecision): Generator<void, readonly RuleDecision[]> {
  const decisions: RuleDecision[] = [];
  for (; decisions.length < resamples; yield) decisions.push(decide());
  return decisions;
}

function comparisons(rule: AcceptanceRule, { compared, grid }: RecordedOutcomes): () => RuleDecision {
  const rest = compared.values();
  return () => rule.decide(rest.next().value?.() ?? (() => undefined), grid);
}

function assumedPasses(random: Random, n: number, effect: number): NextPass {
  const tasks = drawTasks(random, n, () => effect);
  return () => attemptPass(random, tasks);
}

function questionOf({ asks, asksOfFew }: AcceptanceRule, n: number): string {
  return n < tasksToGeneralise ? (asksOfFew ?? asks) : asks;
}

function cellOf(seed: readonly number[], decisions: readonly RuleDecision[]): RuleCell {
  const attempts = decisions.reduce((sum, decision) => sum + decision.attempts, 0) / decisions.length;
  return { seed, accepted: shareOf(decisions.filter(isAccepted).length, decisions.length), attempts };
}

function anyInARow(decisions: readonly RuleDecision[], length: number): Share {
  const families = Math.floor(decisions.length / length);
  let hits = 0;
  for (let family = 0; family < families; family++) {
    if (decisions.slice(family * length, (family + 1) * length).some(isAccepted)) hits += 1;
  }
  return shareOf(hits, families);
}

function isAccepted({ kind }: RuleDecision): boolean {
  return kind === 'accepted';
}

function shareOf(hits: number, of: number): Share {
  return { hits, of, share: of === 0 ? 0 : hits / of, interval: shareInterval(hits, of) ?? [0, 1] };
}
