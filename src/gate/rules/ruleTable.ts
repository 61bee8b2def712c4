import { openErrorBudget, payCertification } from '../statistics/errorBudget.js';
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
  readonly rule: Omit<AcceptanceRule, 'decide'>;
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

/** One rule on these tasks. Every cell has a stream of its own, the same for all rules. */
export function ruleRow(rule: AcceptanceRule, outcomes: RecordedOutcomes, settings: RuleTableSettings): RuleRow {
  const n = outcomes.scores.length;
  const gains = Math.ceil(settings.resamples / 5);
  const measure = (effect: number, resamples: number, passes: (random: Random) => NextPass, grid = outcomes.grid) => {
    const seed = [settings.seed, n, effect];
    const random = seeded(...seed);
    const decisions = Array.from({ length: resamples }, () => rule.decide(passes(random), grid));
    return { decisions, cell: cellOf(seed, decisions) };
  };
  const onRecorded = (effect: number, resamples = gains) =>
    measure(effect, resamples, (random) => passesOf(outcomes, effect / 100, random));
  const onAssumed = (effect: number) =>
    measure(
      effect,
      gains,
      (random) => {
        const tasks = drawTasks(random, n, () => effect / 100);
        return () => attemptPass(random, tasks);
      },
      1,
    );
  const noEffect = onRecorded(0, settings.resamples);
  return {
    rule: { id: rule.id, name: rule.name, asks: rule.asks, asksAsWeDo: rule.asksAsWeDo, source: rule.source },
    noEffect: noEffect.cell,
    inARow: anyInARow(noEffect.decisions, decisionsInARow()),
    recorded: { 20: onRecorded(20).cell, 40: onRecorded(40).cell },
    assumed: { 20: onAssumed(20).cell, 40: onAssumed(40).cell },
    compared: outcomes.compared.map((begin) => rule.decide(begin(), outcomes.grid)),
  };
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
